//! The API description matches the answers: every route, every parameter, every key.

use serde_json::Value;

use super::{Reply, Served};

/// Checks that `value` fits `schema`, or returns the reason why it does not.
fn misfit(document: &Value, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    if let Some(name) = schema["$ref"].as_str() {
        return misfit(document, document.pointer(&name[1..]).ok_or(format!("{name} is missing"))?, value, at);
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_u64() || number.is_i64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let fits = |name: &Value| name == kind || (name == "number" && kind == "integer");
    if !schema["type"].as_array().map_or_else(|| fits(&schema["type"]), |kinds| kinds.iter().any(fits)) {
        return Err(format!("{at}: expected {}, found {value}", schema["type"]));
    }
    if schema["enum"].as_array().is_some_and(|values| !values.contains(value)) {
        return Err(format!("{at}: expected one of {}, found {value}", schema["enum"]));
    }
    for item in value.as_array().into_iter().flatten().filter(|_| schema["items"].is_object()) {
        misfit(document, &schema["items"], item, &format!("{at}[]"))?;
    }
    let Some(object) = value.as_object().filter(|_| schema["properties"].is_object()) else { return Ok(()) };
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !object.contains_key(name) {
            return Err(format!("{at}: {name} is missing"));
        }
    }
    for (name, value) in object {
        let Some(schema) = schema["properties"].get(name) else { return Err(format!("{at}: {name} is not described")) };
        misfit(document, schema, value, &format!("{at}.{name}"))?;
    }
    Ok(())
}

/// Checks that the description of `operation` has `reply`.
#[track_caller]
fn described(document: &Value, operation: &Value, reply: &Reply, asked: &str) {
    let response = &operation["responses"][reply.status.to_string()];
    assert!(response.is_object(), "{asked}: {} is not described", reply.status);
    let kind = reply.header("content-type").unwrap_or_default();
    if reply.status != 304 {
        assert!(response["content"][kind].is_object(), "{asked}: {kind} is not described");
    }
    if reply.status != 304 && kind == "application/json" {
        let schema = &response["content"]["application/json"]["schema"];
        misfit(document, schema, &reply.json(reply.status), "answer")
            .unwrap_or_else(|error| panic!("{asked}: {error}"));
    }
}

#[test]
fn every_answer_is_as_described() {
    let served = Served::new();
    let document = served.json("/api/v1/openapi.json");
    assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
    let cram = "name = \"mine-{n}\"\nparameters = { n = 3 }\nboard = { rows = 2, cols = \"n\" }\n\
                move = [{ shape = \"XX\", turns = true }]\n";
    let games = [
        "tactics",
        "dominoes&n=5",
        "tictactoe",
        "domineering",
        "kings",
        "mnk&rows=3&cols=2",
        "hex",
        "nim&x=1",
        "dots-and-boxes&rows=1&cols=1",
        // Moves have names in a notation.
        "connect-four",
    ];
    let mut asked = 0;
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            let parameters = operation["parameters"].as_array().unwrap();
            let takes = |name: &str| parameters.iter().any(|parameter| parameter["name"] == name);
            let mut queries: Vec<String> = vec![String::new(), "?nothing=1".into()];
            if takes("game") {
                queries.extend(games.map(|game| format!("?game={game}")));
                queries.push("?game=none".into());
            }
            if takes("position") {
                let queried: Vec<String> = queries.iter().map(|query| format!("{query}&position=none")).collect();
                queries.extend(queried.into_iter().filter(|query| query.starts_with('?')));
            }
            if method == "post" && takes("options") {
                queries.push("?n=4".into());
            }
            let mut client = served.connect();
            for query in queries {
                for body in if method == "post" { vec![cram, "bad"] } else { vec![""] } {
                    let reply = client.ask(&method.to_uppercase(), &format!("{path}{query}"), &[], body);
                    described(&document, operation, &reply, &format!("{method} {path}{query}"));
                    if let Some(tag) = reply.header("etag") {
                        let known = client.ask("GET", &format!("{path}{query}"), &[("if-none-match", tag)], "");
                        described(&document, operation, &known, path);
                        assert_eq!(known.status, 304);
                    }
                    asked += 1;
                }
            }
        }
    }
    assert!(asked > 100, "{asked}");
}

#[test]
fn no_method_is_left_out() {
    let served = Served::new();
    let document = served.json("/api/v1/openapi.json");
    for (path, operations) in document["paths"].as_object().unwrap() {
        for method in ["get", "post", "put", "delete", "patch"] {
            let status = served.connect().ask(&method.to_uppercase(), path, &[], "").status;
            assert_eq!(status != 405, operations.get(method).is_some(), "{method} {path}: {status}");
        }
    }
}

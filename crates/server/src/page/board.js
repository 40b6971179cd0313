// The board: places that can be clicked, dragged over, and walked with the arrow keys.

import { h, s } from "./dom.js";
import { candidates, following, meant, pick, preview, shown } from "./pick.js";
import { moved } from "./motion.js";
import { side } from "./pieces.js";
import { UNIT, areas, badgePlace, bars, dress, frame, freeDirection, hasCounters, hasNames, hasPits, isTaken, outline, piece, hasLineNames, rulers, scenery, tileFace } from "./shapes.js";
import { inWords, isBetter, short } from "./values.js";

/** The width of a square in a row, in pixels, that a finger hits. A row that needs more room than the window has is scrolled, or broken into
 * lines if its squares would be narrower than NARROW in one line. */
const WIDE = 38;
const NARROW = 27;
/** The distance of the lines of a row, in squares: there is room for the names of the squares. */
const LINE = 1.4;
/** The least height of values and names in a drawing, in pixels, and how far they are enlarged for that. */
const LEGIBLE = 11;
const ZOOM = 1.5;
/** The distance in pixels from which a pointer movement is a drag. */
const DRAG = 6;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Board {
  #root;
  #on;
  #state = null;
  #key = "";
  #places = [];
  #points = [];
  #layers = {};
  /** The places that stand for their pits, or null if there are no pits. */
  #anchors = null;
  #picked = [];
  #hovered = null;
  #focus = 0;
  #drag = null;

  /** Calls `on.play(moves)` with the moves that a click may mean, `on.point(move, place, picked)` with the move under the
   * pointer, and `on.say(text)` with a place that was edited. */
  constructor(root, on) {
    this.#root = root;
    this.#on = on;
    root.addEventListener("pointerdown", (event) => this.#down(event));
    root.addEventListener("pointermove", (event) => this.#over(event));
    root.addEventListener("pointerup", (event) => this.#up(event));
    root.addEventListener("pointercancel", () => this.#endDrag());
    root.addEventListener("pointerleave", () => !this.#drag && this.#hover(null));
    root.addEventListener("keydown", (event) => this.#typed(event));
    root.addEventListener("focusin", (event) => this.#focused(event));
    root.addEventListener("focusout", ({ relatedTarget }) => !root.contains(relatedTarget) && this.#hover(null));
    // Keyboard users need a focus ring; for pointer users it only distracts.
    document.addEventListener("keydown", () => root.classList.remove("by-pointer"), true);
    document.addEventListener("pointerdown", () => root.classList.add("by-pointer"), true);
    // A screen reader clicks without a pointer.
    root.addEventListener("click", (event) => event.detail === 0 && this.#activate(this.#placeOf(event.target), this.#jointOf(event.target)));
    root.addEventListener("scroll", () => this.#fade());
    new ResizeObserver(() => this.#state && (this.#perLine() === this.#line ? (this.#fit(), this.#paint()) : this.render(this.#state))).observe(root);
  }

  #line = Infinity;
  /** The pixels of a unit of the drawing. */
  #unit = 1;
  /** The scale of a piece that stays above its value. */
  #above = 1;

  /** The number of squares of a row that fit into one line of the window. */
  #perLine() {
    const { layout, places } = this.#state.view;
    if (layout !== "row") return Infinity;
    const width = this.#root.clientWidth;
    if (width / places.length >= NARROW) return places.length;
    const lines = Math.ceil(places.length / Math.max(1, Math.floor(width / WIDE)));
    return Math.ceil(places.length / lines);
  }

  /** Shows a position. `state` has `view`, `moves` (best first), `active` (whether moves can be made), `values`
   * (whether values are shown), `hint` (a move or null), `last` (places of the last move), `groups` (the places of each
   * move so far, and its side), `own` (a set of the places that moves named, or null if unknown), `by` (the side that
   * filled each place), `owners` (the side that owns each area) and `names` (of the sides). */
  render(state) {
    const before = this.#state?.view;
    const isNew = state.view.position !== this.#state?.view.position;
    this.#state = state;
    this.#line = this.#perLine();
    if (isNew) {
      this.#picked = [];
      this.#hovered = null;
    }
    const { layout, places, joints, signs, looks } = state.view;
    const key = JSON.stringify([layout, places, joints, signs, looks, this.#line]);
    const isSame = key === this.#key;
    const isHeld = this.#root.contains(document.activeElement) && document.activeElement !== this.#root;
    if (!isSame) this.#build(key);
    this.#paint();
    // What has been painted can take the focus.
    if (!isSame && isHeld) this.#focusOn(this.#focus);
    if (isSame && isNew && state.moves) moved(before, state.view, this.#places);
    if (isNew) this.#reveal();
  }

  /** Scrolls a row in which no move begins in view, to the beginning that is nearest to the middle. */
  #reveal() {
    const room = this.#root.getBoundingClientRect();
    if (this.#root.scrollWidth <= room.width + 1) return;
    const named = this.#state.moves.flatMap(({ handles }) => handles.flat());
    const pieces = named.filter((place) => this.#state.view.states[place] > 0);
    const boxes = (pieces.length > 0 ? pieces : named).map((place) => this.#places[place].getBoundingClientRect());
    if (boxes.some(({ left, right }) => left >= room.left && right <= room.right)) return;
    const aways = boxes.map(({ left, right }) => (left + right - room.left - room.right) / 2).sort((a, b) => Math.abs(a) - Math.abs(b));
    if (aways.length > 0) this.#root.scrollLeft += aways[0];
  }

  #build(key) {
    const isOther = this.#key !== "";
    this.#key = key;
    const scene = this.#state.view;
    const line = this.#line;
    this.#points = scene.places.map(({ at: [x, y] }, n) => (line === Infinity ? [x, y] : [(n % line) + 0.5, Math.floor(n / line) * LINE + 0.5]));
    const isWords = scene.layout === "words";
    this.#root.dataset.layout = scene.layout;
    this.#root.dataset.colours = scene.signs.length;
    this.#root.dataset.board = scene.looks.board;
    this.#root.dataset.pieces = scene.looks.pieces[0];
    if (isWords) this.#buildWords(scene);
    else this.#buildDrawing(scene, line);
    if (isOther) this.#focus = this.#standing(Math.min(this.#focus, scene.places.length - 1));
  }

  #buildWords(scene) {
    this.#places = scene.places.map((place, n) => h("button", { type: "button", class: "place word", "data-place": n }, h("span", { class: "name" }, place.name), h("span", { class: "badge" })));
    this.#layers = {};
    this.#anchors = null;
    this.#root.replaceChildren(h("div", { class: "words", role: "group", "aria-label": "Words" }, this.#places));
  }

  #buildDrawing(scene, line) {
    const isBroken = line !== Infinity;
    const size = isBroken ? [line, Math.ceil(scene.places.length / line) * LINE] : scene.size;
    this.#places = scene.places.map((place, n) => {
      const [x, y] = this.#points[n].map((part) => part * UNIT);
      const face = scene.layout === "tiles" ? s("g", { class: "face" }, tileFace(place.ends.map((joint) => scene.joints[joint].name))) : null;
      const name = isBroken ? s("text", { class: "ruler", y: 72 }, place.name) : scene.layout === "vertices" ? nameBeside(scene, n) : null;
      const parts = [outline(scene, place), face, name, s("g", { class: "piece" })];
      return s("g", { class: "place", role: "button", "data-place": n, "data-paint": scene.looks.paint[n], transform: `translate(${x} ${y})` }, parts);
    });
    const isNamed = hasNames(scene);
    const joints = scene.layout !== "edges" ? [] : scene.joints.map(({ name, at: [x, y] }, n) => s("g", { class: "joint", "data-joint": n, transform: `translate(${x * UNIT} ${y * UNIT})` }, s("circle", { r: isNamed ? 27 : 11 }), isNamed ? s("text", { y: 1 }, name) : null));
    const [left, top, right, bottom] = frame(scene, size);
    // Values lie above everything else, so that no line crosses them.
    const badges = this.#points.map(() => s("g", { class: "badge" }));
    const pits = hasPits(scene) ? scene.areas : [];
    this.#anchors = pits.length > 0 ? new Set(pits.map(({ places }) => places[0])) : null;
    this.#layers = { runs: s("g", { class: "runs" }), joints, badges, areas: areas(scene) };
    const drawing = s(
      "svg",
      { viewBox: `${left} ${top} ${right - left} ${bottom - top}`, role: "group", "aria-label": "Board", class: "drawing" },
      rulers(scene),
      scenery(scene),
      this.#layers.areas,
      this.#places,
      this.#layers.runs,
      joints,
      badges,
    );
    // The drawing fills the available width, but its squares stay small enough for thumbs.
    drawing.style.maxWidth = `${Math.round(((right - left) / UNIT) * (scene.layout === "tiles" ? 110 : 150))}px`;
    drawing.style.setProperty("--ratio", ((right - left) / (bottom - top)).toFixed(4));
    dress(drawing, scene.looks);
    this.#root.replaceChildren(drawing);
    this.#fit();
  }

  /** Places values and names, and enlarges them where the drawing is too small to read them. */
  #fit() {
    const { view } = this.#state;
    if (view.layout === "words") return;
    const drawing = this.#root.querySelector("svg");
    if (this.#line !== Infinity) {
      // A row that is scrolled ends in the middle of a square, so that nobody takes what is in view for all of it.
      const width = this.#root.clientWidth;
      const wide = this.#line * WIDE > width ? width / (Math.floor(width / WIDE) - 0.5) : WIDE;
      drawing.style.minWidth = `${Math.round(this.#line * wide)}px`;
    }
    this.#fade();
    this.#unit = drawing.getScreenCTM()?.a || 1;
    drawing.style.setProperty("--unit", this.#unit.toFixed(3));
    const { y: low, small, plate, clear } = badgePlace(view);
    const height = small ? 18 : plate ? 24 : 31;
    const zoom = Math.min(ZOOM, Math.max(1, LEGIBLE / (height * this.#unit)));
    // A value below a piece grows upwards, so that it covers no name.
    const rise = low > 0 ? (low + 17) * (1 - zoom) : 0;
    this.#above = clear === undefined ? 1 : Math.min(1, (low + 15 - 34 * zoom + 46) / (clear + 46));
    const put = (n, x, y, scale) => this.#layers.badges[n].setAttribute("transform", `translate(${x} ${y})${scale === 1 ? "" : ` scale(${scale})`}`);
    this.#points.forEach(([x, y], n) => put(n, x * UNIT, y * UNIT + rise, zoom));
    // A pit has one value, beside the number of its pieces.
    if (this.#anchors) for (const { at: [x, y], size, places } of view.areas) put(places[0], x * UNIT, (y + size[1] / 2) * UNIT - 62, 2.6);
  }

  /** Fades the edges beyond which squares of a row lie. */
  #fade() {
    const { scrollLeft, scrollWidth, clientWidth } = this.#root;
    this.#root.classList.toggle("more-before", scrollLeft > WIDE / 4);
    this.#root.classList.toggle("more-after", scrollLeft + clientWidth < scrollWidth - WIDE / 4);
  }

  #paint() {
    const { view, moves, active, values, hint, last, own, by, edit } = this.#state;
    const isFalling = view.looks.board === "rack";
    const counters = hasCounters(view);
    const shownNow = this.#hovered !== null && active ? shown(moves, this.#picked, this.#hovered) : null;
    const previewed = new Map(shownNow ? preview(moves, this.#picked, this.#hovered) : []);
    const next = new Set(active && this.#picked.length > 0 ? following(moves, this.#picked).next : []);
    const hinted = new Set(hint?.handles[0]);
    const ending = new Set(view.ending);
    const done = new Set(last);
    const best = moves[0];
    const badge = badgePlace(view);
    view.places.forEach((place, n) => {
      const element = this.#places[n];
      const state = view.states[n];
      // A piece that can be moved or taken shows the value of the best move that begins with it.
      const move = active ? shown(moves, this.#picked, n) : null;
      const isBest = move && best && !isBetter(best, move);
      const classes = ["place"];
      if (view.layout === "words") classes.push("word");
      if (state > 0) classes.push("filled", `state${state}`);
      if (move || edit) classes.push("free");
      // A piece would hide the colour of the value below it, so an occupied square shows only the value's text.
      // Where pieces fall, only the slot in which a piece would come to rest has a value.
      const isAnchor = !this.#anchors || this.#anchors.has(n);
      const isValued = move && values && isAnchor && move.outcome !== "unknown" && (!isFalling || move.changes.some(([place]) => place === n));
      if (by[n] !== undefined) classes.push(side(by[n]));
      if (isValued && (state === 0 || view.layout === "words")) classes.push(move.outcome, ...(isBest ? ["best"] : []));
      if (this.#picked.includes(n)) classes.push("picked");
      if (previewed.has(n)) classes.push("preview");
      if (next.has(n)) classes.push("next");
      if (hinted.has(n)) classes.push("hinted");
      if (ending.has(n)) classes.push("ending");
      if (done.has(n)) classes.push("last");
      element.setAttribute("class", classes.join(" "));
      const text = isValued && !previewed.has(n) ? (hasLineNames(view) ? `${place.name} ${short(move)}` : short(move)) : "";
      if (view.layout === "words") {
        element.lastChild.textContent = move && values && move.outcome !== "unknown" ? short(move) : "";
      } else {
        const pieces = element.lastChild;
        const badges = this.#layers.badges[n];
        badges.setAttribute("class", `badge ${move?.outcome ?? ""}${isBest ? " best" : ""}`);
        const isOwn = own === null || own.has(n);
        const mover = this.#state.side;
        pieces.replaceChildren(...(state === 0 && previewed.has(n) ? piece(view, place, previewed.get(n), shownNow.handles.flat().includes(n), mover) : piece(view, place, state, isOwn, by[n])), ...(done.has(n) && state > 0 && !this.#anchors && view.layout !== "edges" && view.layout !== "tiles" && !this.#isBarred() ? [s("circle", { class: "lastmark", cx: 29, cy: -29, r: 8 })] : []));
        const isPlate = badge.plate || state > 0;
        // A piece makes room for its value.
        const isBelow = state > 0 && !badge.plate && !this.#anchors;
        const middle = this.#anchors ? 0 : isBelow ? 37 : badge.y;
        const isTiny = badge.small || this.#anchors || (isBelow && 18 * this.#unit >= LEGIBLE);
        if (isBelow && text) pieces.setAttribute("transform", "translate(0 -11) scale(.78)");
        else if (badge.clear && text) pieces.setAttribute("transform", `translate(0 ${-46 * (1 - this.#above)}) scale(${this.#above})`);
        else pieces.removeAttribute("transform");
        const [wide, high] = isTiny ? [5.6, 12] : [8, 17];
        const plate = isPlate && text ? [s("rect", { class: "plate", x: -wide * (text.length + 1), y: middle - high, width: 2 * wide * (text.length + 1), height: 2 * high, rx: high })] : [];
        // A line shows its name where it has no value.
        const lineName = view.layout === "edges" && state === 0 && hasLineNames(view) ? [s("text", { class: "linename", y: 1 }, place.name)] : [];
        badges.replaceChildren(...(text ? [...plate, s("text", { class: isTiny ? "value tiny" : isPlate ? "value small" : "value", y: middle + 1 }, text)] : lineName));
      }
      // The other places of a pit are pictures alone.
      if (!isAnchor) {
        element.setAttribute("aria-hidden", "true");
        element.removeAttribute("role");
        return;
      }
      element.setAttribute("tabindex", n === this.#focus ? 0 : -1);
      element.setAttribute("aria-label", this.#spoken(n, move));
      element.setAttribute("aria-disabled", move || edit ? "false" : "true");
      if (this.#picked.length > 0) element.setAttribute("aria-pressed", this.#picked.includes(n));
      else element.removeAttribute("aria-pressed");
    });
    this.#paintRuns();
    this.#paintAreas();
    // Points fall with the last of their lines.
    const stands = (n) => !isTaken(view) || view.ground.includes(n) || view.places.some(({ ends }, place) => ends.includes(n) && view.states[place] === 0);
    this.#layers.joints?.forEach((joint, n) => {
      joint.setAttribute("class", `joint${view.joint === n ? " here" : ""}${active && moves.some((move) => move.joint === n) ? " next" : ""}`);
      joint.setAttribute("visibility", stands(n) ? "visible" : "hidden");
    });
    // Dragging on the board disables scrolling with a finger, so this is set only if moves can be dragged.
    this.#root.classList.toggle("drags", active && (view.layout === "tiles" || moves.some((move) => move.handles.some((handle) => handle.length > 1))));
  }

  /** Returns whether bars join the squares of each move. */
  #isBarred() {
    const { view } = this.#state;
    return view.signs.length === 1 && view.looks.pieces[0] === "blocks" && ["squares", "row"].includes(view.layout);
  }

  /** Draws bars that join the squares of each move. */
  #paintRuns() {
    const { groups, last, own } = this.#state;
    const { runs } = this.#layers;
    if (!runs || !this.#isBarred()) return runs?.replaceChildren();
    // Every square of the last move gets a dot.
    const dots = last.filter((n) => own === null || own.has(n)).map((n) => s("circle", { class: "lastdot", cx: this.#points[n][0] * UNIT, cy: this.#points[n][1] * UNIT, r: 7 }));
    runs.replaceChildren(...bars(groups, this.#points), ...dots);
  }

  /** Fills the boxes that a side owns. */
  #paintAreas() {
    const { view, owners = [], names = [], moves, active, hint, values } = this.#state;
    if (this.#anchors) {
      const hinted = new Set(hint?.handles[0]);
      this.#layers.areas.forEach((area, n) => {
        const [first] = view.areas[n].places;
        const move = active ? shown(moves, this.#picked, first) : null;
        const isBest = values && move && move.outcome !== "unknown" && !isBetter(moves[0], move);
        area.setAttribute("class", `pit${move ? " free" : ""}${move && values ? ` ${move.outcome}` : ""}${isBest ? " best" : ""}${hinted.has(first) ? " hinted" : ""}${this.#hovered === first && move ? " preview" : ""}${document.activeElement === this.#places[first] ? " focused" : ""}`);
        area.lastChild.textContent = view.areas[n].places.filter((place) => view.states[place] > 0).length;
        area.children[1].setAttribute("visibility", move && values && move.outcome !== "unknown" ? "hidden" : "visible");
      });
      return;
    }
    this.#layers.areas?.forEach((area, n) => {
      const isFull = view.areas[n].places.every((place) => view.states[place] > 0);
      area.setAttribute("class", `area${isFull ? ` owned ${owners[n] === undefined ? "" : side(owners[n])}` : ""}`);
      area.lastChild.textContent = isFull && owners[n] !== undefined ? (names[owners[n]] ?? "").charAt(0).toUpperCase() : "";
    });
  }

  /** The text of a place for screen readers. */
  #spoken(n, move) {
    const { view, values, edit } = this.#state;
    const pit = this.#anchors && view.areas.find(({ places }) => places[0] === n);
    const { name } = pit ?? view.places[n];
    const state = view.states[n];
    if (pit) return `${name}, ${pit.places.filter((place) => view.states[place] > 0).length}${move && values && move.outcome !== "unknown" ? `, ${inWords(move)}` : ""}`;
    const [free, filled] = isTaken(view) ? ["there", view.looks.pieces[0] === "gone" ? "gone" : "fallen"] : ["free", "filled"];
    const holds = state === 0 ? free : view.signs.length > 1 && state < 3 ? view.signs[state - 1] : filled;
    if (!move) return state === 0 && !edit ? `${name}, ${free}, no move` : `${name}, ${holds}`;
    const what = move.name === name ? "" : `, ${move.text}`;
    return `${name}, ${holds}${what}${values && move.outcome !== "unknown" ? `, ${inWords(move)}` : ""}`;
  }

  #placeOf(target) {
    const found = target?.closest?.("[data-place]");
    if (!found || !this.#root.contains(found)) return null;
    return this.#standing(Number(found.dataset.place));
  }

  /** The place that the keyboard reaches instead of `place`: the first one of its pit, or itself. */
  #standing(place) {
    return this.#anchors ? this.#state.view.areas.find(({ places }) => places.includes(place)).places[0] : place;
  }

  #jointOf(target) {
    const found = target?.closest?.("[data-joint]");
    return found && this.#root.contains(found) ? Number(found.dataset.joint) : null;
  }

  /** The place that a click at `place` means: where pieces fall, a click at one of them means a free place of its column. */
  #falling(place) {
    const { view, moves } = this.#state;
    if (place === null || view.looks.board !== "rack" || view.states[place] === 0 || candidates(moves, [place]).length > 0) return place;
    const free = view.places.findIndex(({ at: [x] }, n) => view.states[n] === 0 && x === view.places[place].at[0]);
    return free < 0 ? place : free;
  }

  /** Handles the choice of a place, or of the joint at the end of an edge. */
  #activate(place, joint) {
    const { moves, active, edit } = this.#state;
    if (edit) {
      if (place === null) return;
      edit(place);
      return this.#on.say(this.#places[place].getAttribute("aria-label"));
    }
    if (!active) return;
    if (place === null && joint !== null) {
      const leading = moves.filter((move) => move.joint === joint);
      if (leading.length > 0) this.#on.play(leading);
      return;
    }
    if (place === null) return;
    place = this.#falling(place);
    const chosen = pick(moves, this.#picked, place);
    this.#picked = chosen.moves.length > 0 ? [] : chosen.picked;
    this.#paint();
    if (chosen.moves.length > 0) this.#on.play(chosen.moves);
    else this.#point(place);
  }

  #point(place) {
    const { moves, active } = this.#state;
    this.#on.point(active && place !== null ? shown(moves, this.#picked, place) : null, place, this.#picked);
  }

  #hover(at) {
    const place = this.#falling(at);
    if (place === this.#hovered) return;
    this.#hovered = place;
    this.#paint();
    this.#point(place);
  }

  #down(event) {
    if (event.button !== 0) return;
    const place = this.#placeOf(event.target);
    const joint = this.#jointOf(event.target);
    if (place === null && joint === null) return;
    this.#drag = { place, joint, path: place === null ? [] : [place], from: [event.clientX, event.clientY], far: false };
    // A dragged tile or word may leave the board, because it can be dropped on the line of play above it.
    this.#root.setPointerCapture(event.pointerId);
    if (place !== null) this.#focusOn(place);
  }

  #over(event) {
    const target = this.#drag ? document.elementFromPoint(event.clientX, event.clientY) : event.target;
    const place = this.#placeOf(target);
    const drag = this.#drag;
    if (!drag) {
      if (event.pointerType !== "touch") this.#hover(place);
      return;
    }
    const [dx, dy] = [event.clientX - drag.from[0], event.clientY - drag.from[1]];
    drag.far ||= Math.hypot(dx, dy) > DRAG;
    if (!drag.far || !this.#state.active) return;
    const { layout } = this.#state.view;
    if (layout === "tiles" || layout === "words") {
      if (drag.place !== null) this.#carry(dx, dy);
      return;
    }
    if (place !== null && !drag.path.includes(place) && (this.#state.view.states[place] === 0 || candidates(this.#state.moves, [...drag.path, place]).length > 0)) drag.path.push(place);
    this.#picked = drag.path.length > 1 || layout !== "edges" ? drag.path : [];
    this.#hovered = place;
    this.#paint();
    this.#point(place);
  }

  /** Moves the dragged tile or word along with the pointer. */
  #carry(dx, dy) {
    const element = this.#places[this.#drag.place];
    element.classList.add("carried");
    element.style.translate = element instanceof SVGElement ? this.#inDrawing(dx, dy) : `${dx}px ${dy}px`;
  }

  #inDrawing(dx, dy) {
    const scale = this.#root.querySelector("svg").getScreenCTM()?.a ?? 1;
    return `${dx / scale}px ${dy / scale}px`;
  }

  #up(event) {
    const drag = this.#drag;
    if (!drag) return;
    this.#endDrag();
    const target = document.elementFromPoint(event.clientX, event.clientY);
    const { layout } = this.#state.view;
    if (!drag.far) return this.#activate(drag.place, drag.joint);
    if (!this.#state.active) return;
    const joint = this.#jointOf(target);
    if (layout === "edges" && joint !== null) return this.#activate(null, joint);
    if (layout === "tiles" || layout === "words") {
      // A tile or word can be dropped on the line of play.
      if (target?.closest?.("#chain") && drag.place !== null) this.#activate(drag.place, null);
      return;
    }
    const found = meant(this.#state.moves, drag.path);
    this.#picked = [];
    if (drag.path.length === 1) return this.#activate(drag.place, null);
    this.#paint();
    if (found.length > 0) this.#on.play(found);
  }

  #endDrag() {
    for (const element of this.#places) {
      element.classList.remove("carried");
      element.style.translate = "";
    }
    this.#drag = null;
  }

  /** Forgets the picked places. */
  clear() {
    this.#picked = [];
    if (this.#state) this.#paint();
  }

  #focused(event) {
    const place = this.#placeOf(event.target);
    if (place === null) return;
    this.#focus = place;
    this.#places.forEach((element, n) => element.hasAttribute("tabindex") && element.setAttribute("tabindex", n === place ? 0 : -1));
    if (!this.#root.classList.contains("by-pointer")) this.#hover(place);
  }

  #focusOn(place) {
    this.#focus = place;
    this.#places[place]?.focus({ preventScroll: true });
  }

  /** Puts the focus on the board. */
  focus() {
    this.#focusOn(this.#focus);
  }

  #typed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      // Words are buttons of HTML, which click by themselves.
      if (event.target instanceof HTMLButtonElement) return;
      event.preventDefault();
      const place = this.#placeOf(event.target);
      if (place !== null) this.#activate(place, null);
    } else if (event.key === "Escape") {
      this.clear();
      this.#point(null);
    } else if (event.key === "Home" || event.key === "End") {
      event.preventDefault();
      this.#focusOn(this.#standing(event.key === "Home" ? 0 : this.#places.length - 1));
    } else if (event.key in ARROWS) {
      event.preventDefault();
      const next = this.#towards(ARROWS[event.key]);
      if (next !== null) this.#focusOn(next);
    }
  }

  /** The nearest place in a direction. Words flow like text, so their places are measured in the window. */
  #towards([dx, dy]) {
    const isWords = this.#state.view.layout === "words";
    const middle = (element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return [left + width / 2, (top + height / 2) * 2];
    };
    const points = isWords ? this.#places.map(middle) : this.#points;
    const [x, y] = points[this.#focus];
    let [found, least] = [null, Infinity];
    points.forEach(([px, py], n) => {
      if (this.#anchors && !this.#anchors.has(n)) return;
      const along = (px - x) * dx + (py - y) * dy;
      const aside = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
      if (along <= 0.01 || aside > along * 2) return;
      const far = along + 2 * aside;
      if (far < least) [found, least] = [n, far];
    });
    return found;
  }
}

/** The name of a vertex, in a direction in which no line leaves it. */
function nameBeside(scene, n) {
  const [x, y] = freeDirection(scene, n).map((part) => Math.round(part * 60));
  return s("text", { class: "vertexname", x, y }, scene.places[n].name);
}

//! Connections: limited in number and time, and every request is answered before the server stops.

use std::future::{Future, poll_fn};
use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{Sleep, sleep, timeout};

use super::Limits;

/// The largest head of a request in bytes. All positions and all heads sent by browsers are shorter.
const LONGEST_HEAD: usize = 64 << 10;
/// The pause after the system has refused a connection, for example for lack of file descriptors.
const RETRY_PAUSE: Duration = Duration::from_millis(50);

/// Accepts connections and answers requests until `stop` becomes true, and then finishes the current requests.
pub(super) async fn serve(
    listener: TcpListener,
    router: Router,
    limits: &Limits,
    mut stop: watch::Receiver<bool>,
) -> io::Result<()> {
    let mut http = http1::Builder::new();
    // This timeout also runs between two requests, so it closes idle connections.
    http.timer(TokioTimer::new()).header_read_timeout(limits.patience).max_buf_size(LONGEST_HEAD);
    let (open, all) = (Arc::new(Semaphore::new(limits.connections)), GracefulShutdown::new());
    loop {
        let Some(Ok(permit)) = unless(&mut stop, Arc::clone(&open).acquire_owned()).await else { break };
        let stream = match unless(&mut stop, listener.accept()).await {
            None => break,
            Some(Ok((stream, _))) => stream,
            Some(Err(_)) => {
                sleep(RETRY_PAUSE).await;
                continue;
            }
        };
        // Answers are written in one piece, so waiting for more data would only delay them.
        let _ = stream.set_nodelay(true);
        let io = WriteTimeout { io: TokioIo::new(stream), patience: limits.patience, clock: None };
        let connection = http.serve_connection(io, TowerToHyperService::new(router.clone()));
        let connection = all.watch(connection);
        tokio::spawn(async move {
            // Only the client can end a connection early, which needs no action.
            let _ = connection.await;
            drop(permit);
        });
    }
    drop(listener);
    let _ = timeout(limits.grace, all.shutdown()).await;
    Ok(())
}

/// The output of `coming`; `None` if `stop` becomes true first.
async fn unless<T>(stop: &mut watch::Receiver<bool>, coming: impl Future<Output = T>) -> Option<T> {
    let (mut stopped, mut coming) = (pin!(stop.wait_for(|&stop| stop)), pin!(coming));
    poll_fn(|context| match stopped.as_mut().poll(context) {
        Poll::Ready(_) => Poll::Ready(None),
        Poll::Pending => coming.as_mut().poll(context).map(Some),
    })
    .await
}

/// A connection that ends if the client stops reading what the server writes for too long.
struct WriteTimeout {
    io: TokioIo<TcpStream>,
    patience: Duration,
    /// A timer that runs while a write waits.
    clock: Option<Pin<Box<Sleep>>>,
}

impl WriteTimeout {
    fn unless_late<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.clock = None;
            return written;
        }
        let patience = self.patience;
        let clock = self.clock.get_or_insert_with(|| Box::pin(sleep(patience)));
        clock.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl Read for WriteTimeout {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, to: ReadBufCursor<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_read(context, to)
    }
}

impl Write for WriteTimeout {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.io).poll_write(context, bytes);
        self.unless_late(context, written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.io).poll_flush(context);
        self.unless_late(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(context)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.io).poll_write_vectored(context, slices);
        self.unless_late(context, written)
    }
}

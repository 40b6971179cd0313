//! Ranks that are the processes of an MPI job.
//!
//! One thread makes all calls (`MPI_THREAD_FUNNELED`). A message is sent in parts, since MPI counts bytes in 32 bits; parts from one
//! rank to another come in order.

use std::collections::HashMap;
use std::io;
use std::ptr;

use ::mpi::ffi;

use super::Ranks;

/// Bytes of a part of a message.
const PART: usize = 256 << 20;
/// What a part is: the last of its message, or not.
const LAST: i32 = 1;
const MORE: i32 = 2;

/// The processes of an MPI job.
pub struct Mpi {
    rank: usize,
    size: usize,
    /// What MPI still reads from.
    sending: Vec<Sending>,
    unsent: u64,
    /// Messages of which some parts have come, by their senders.
    begun: HashMap<usize, Vec<u8>>,
}

struct Sending {
    message: Vec<u8>,
    requests: Vec<ffi::MPI_Request>,
}

fn checked(what: &str, code: i32) -> io::Result<()> {
    // By default MPI ends the job at an error, and does not return.
    if code == ffi::MPI_SUCCESS as i32 { Ok(()) } else { Err(io::Error::other(format!("{what} failed with {code}"))) }
}

impl Mpi {
    /// Joins the job that the process was started in. The thread that calls it makes all further calls.
    ///
    /// # Errors
    /// If MPI does not start.
    pub fn join() -> io::Result<Self> {
        let (mut provided, mut rank, mut size) = (0, 0, 0);
        // SAFETY: called once, before any other call of MPI; null pointers stand for no arguments.
        unsafe {
            let wanted = ffi::MPI_THREAD_FUNNELED as i32;
            checked("MPI_Init_thread", ffi::MPI_Init_thread(ptr::null_mut(), ptr::null_mut(), wanted, &mut provided))?;
            if provided < wanted {
                return Err(io::Error::other("this MPI does not know threads"));
            }
            checked("MPI_Comm_rank", ffi::MPI_Comm_rank(ffi::RSMPI_COMM_WORLD, &mut rank))?;
            checked("MPI_Comm_size", ffi::MPI_Comm_size(ffi::RSMPI_COMM_WORLD, &mut size))?;
        }
        let (rank, size) = (rank as usize, size as usize);
        Ok(Self { rank, size, sending: Vec::new(), unsent: 0, begun: HashMap::new() })
    }

    /// Forgets what MPI has sent.
    fn go_on(&mut self) -> io::Result<()> {
        let mut kept = Vec::new();
        for mut sending in self.sending.drain(..) {
            let mut done = 0;
            // SAFETY: zeroed values of C are written by the call.
            let mut statuses: Vec<ffi::MPI_Status> =
                sending.requests.iter().map(|_| unsafe { std::mem::zeroed() }).collect();
            // SAFETY: the requests belong to this message, which is kept until they are done.
            let code = unsafe {
                let requests = sending.requests.as_mut_ptr();
                ffi::MPI_Testall(sending.requests.len() as i32, requests, &mut done, statuses.as_mut_ptr())
            };
            checked("MPI_Testall", code)?;
            if done == 0 {
                kept.push(sending);
            } else {
                self.unsent -= sending.message.len() as u64;
            }
        }
        self.sending = kept;
        Ok(())
    }
}

impl Ranks for Mpi {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn send(&mut self, to: usize, message: Vec<u8>) -> io::Result<()> {
        let mut requests = Vec::new();
        let parts = message.len().div_ceil(PART).max(1);
        for (number, part) in
            (0..parts).map(|number| (number, &message[number * PART..message.len().min((number + 1) * PART)]))
        {
            let tag = if number + 1 == parts { LAST } else { MORE };
            // SAFETY: a zeroed request is written by the call.
            let mut request: ffi::MPI_Request = unsafe { std::mem::zeroed() };
            // SAFETY: the message is kept where it is, and not changed, until its requests are done: moving a vector does not move
            // its bytes.
            let code = unsafe {
                let world = ffi::RSMPI_COMM_WORLD;
                let (bytes, count) = (part.as_ptr().cast(), part.len() as i32);
                ffi::MPI_Isend(bytes, count, ffi::RSMPI_UINT8_T, to as i32, tag, world, &mut request)
            };
            checked("MPI_Isend", code)?;
            requests.push(request);
        }
        self.unsent += message.len() as u64;
        self.sending.push(Sending { message, requests });
        Ok(())
    }

    fn receive(&mut self) -> io::Result<Option<(usize, Vec<u8>)>> {
        self.go_on()?;
        loop {
            let mut there = 0;
            // SAFETY: zeroed values of C are written by the calls.
            let (mut message, mut status): (ffi::MPI_Message, ffi::MPI_Status) = unsafe { std::mem::zeroed() };
            // SAFETY: what is written to is there.
            let code = unsafe {
                let (any, world) = (ffi::RSMPI_ANY_SOURCE, ffi::RSMPI_COMM_WORLD);
                ffi::MPI_Improbe(any, ffi::RSMPI_ANY_TAG, world, &mut there, &mut message, &mut status)
            };
            checked("MPI_Improbe", code)?;
            if there == 0 {
                return Ok(None);
            }
            let (from, tag, mut count) = (status.MPI_SOURCE as usize, status.MPI_TAG, 0);
            // SAFETY: the status is that of the message found.
            checked("MPI_Get_count", unsafe { ffi::MPI_Get_count(&status, ffi::RSMPI_UINT8_T, &mut count) })?;
            let bytes = self.begun.entry(from).or_default();
            let before = bytes.len();
            bytes.resize(before + count as usize, 0);
            // SAFETY: there is room for as many bytes as the message has.
            let code = unsafe {
                let room = bytes[before..].as_mut_ptr().cast();
                ffi::MPI_Mrecv(room, count, ffi::RSMPI_UINT8_T, &mut message, &mut status)
            };
            checked("MPI_Mrecv", code)?;
            if tag == LAST {
                return Ok(self.begun.remove(&from).map(|bytes| (from, bytes)));
            }
        }
    }

    fn unsent(&self) -> u64 {
        self.unsent
    }

    fn abort(&mut self, status: i32) {
        // SAFETY: it does not return.
        unsafe { ffi::MPI_Abort(ffi::RSMPI_COMM_WORLD, status) };
    }
}

impl Drop for Mpi {
    fn drop(&mut self) {
        while !self.sending.is_empty() && self.go_on().is_ok() {
            std::thread::sleep(std::time::Duration::from_micros(50));
        }
        // SAFETY: nothing is called after this; if something is not sent, MPI ends the job.
        unsafe { ffi::MPI_Finalize() };
    }
}

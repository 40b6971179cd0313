//! The transport of ranks that are the processes of an MPI job.
//!
//! One thread makes all calls (`MPI_THREAD_FUNNELED`). MPI counts bytes in 32 bits, so long messages are sent in parts. MPI delivers the parts from one
//! rank to another in order.

use std::collections::HashMap;
use std::io;
use std::num::NonZeroU8;
use std::ptr;

use ::mpi::ffi;

use super::Transport;

/// Maximum number of bytes of a part of a message.
const PART: usize = 256 << 20;
/// Tags of the last part of a message, and of the parts before it.
const LAST: i32 = 1;
const MORE: i32 = 2;

/// The connection of a process to its MPI job.
pub struct Mpi {
    rank: usize,
    size: usize,
    /// Messages that MPI still reads from.
    sending: Vec<Sending>,
    unsent: u64,
    /// The first parts of incomplete messages, by sender.
    incomplete: HashMap<usize, Vec<u8>>,
}

/// A message on its way, with a request for each of its parts.
struct Sending {
    message: Vec<u8>,
    requests: Vec<ffi::MPI_Request>,
}

/// An error that names the MPI `function`, unless `code` means success.
fn checked(function: &str, code: i32) -> io::Result<()> {
    // MPI's default error handler aborts the job, so errors only arrive here if another handler is set.
    if code == ffi::MPI_SUCCESS as i32 {
        Ok(())
    } else {
        Err(io::Error::other(format!("{function} failed with {code}")))
    }
}

impl Mpi {
    /// Joins the job in which this process was started. The calling thread must make all later calls.
    ///
    /// # Errors
    /// If MPI does not start.
    pub fn join() -> io::Result<Self> {
        let (mut provided, mut rank, mut size) = (0, 0, 0);
        // SAFETY: this is the first call of MPI; null pointers mean that there are no arguments.
        unsafe {
            let wanted = ffi::MPI_THREAD_FUNNELED as i32;
            checked("MPI_Init_thread", ffi::MPI_Init_thread(ptr::null_mut(), ptr::null_mut(), wanted, &mut provided))?;
            if provided < wanted {
                return Err(io::Error::other("this MPI does not support threads"));
            }
            checked("MPI_Comm_rank", ffi::MPI_Comm_rank(ffi::RSMPI_COMM_WORLD, &mut rank))?;
            checked("MPI_Comm_size", ffi::MPI_Comm_size(ffi::RSMPI_COMM_WORLD, &mut size))?;
        }
        let (rank, size) = (rank as usize, size as usize);
        Ok(Self { rank, size, sending: Vec::new(), unsent: 0, incomplete: HashMap::new() })
    }

    /// Drops the messages that MPI has sent.
    fn drop_sent(&mut self) -> io::Result<()> {
        let mut unfinished = Vec::new();
        for mut sending in self.sending.drain(..) {
            let mut done = 0;
            // SAFETY: the status is a C struct of integers, which the call overwrites.
            let mut statuses: Vec<ffi::MPI_Status> =
                sending.requests.iter().map(|_| unsafe { std::mem::zeroed() }).collect();
            // SAFETY: both arrays have the length that the first argument says; the message lives until its requests are done.
            let code = unsafe {
                let requests = sending.requests.as_mut_ptr();
                ffi::MPI_Testall(sending.requests.len() as i32, requests, &mut done, statuses.as_mut_ptr())
            };
            checked("MPI_Testall", code)?;
            if done == 0 {
                unfinished.push(sending);
            } else {
                self.unsent -= sending.message.len() as u64;
            }
        }
        self.sending = unfinished;
        Ok(())
    }
}

impl Transport for Mpi {
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
            // SAFETY: the request is a C handle, which the call overwrites.
            let mut request: ffi::MPI_Request = unsafe { std::mem::zeroed() };
            // SAFETY: the message stays in `sending`, unchanged, until its requests are done. Moving the vector does not move its bytes.
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
        self.drop_sent()?;
        loop {
            let mut is_there = 0;
            // SAFETY: these are C types of integers, which the calls overwrite.
            let (mut message, mut status): (ffi::MPI_Message, ffi::MPI_Status) = unsafe { std::mem::zeroed() };
            // SAFETY: the pointers are to local variables.
            let code = unsafe {
                let (any, world) = (ffi::RSMPI_ANY_SOURCE, ffi::RSMPI_COMM_WORLD);
                ffi::MPI_Improbe(any, ffi::RSMPI_ANY_TAG, world, &mut is_there, &mut message, &mut status)
            };
            checked("MPI_Improbe", code)?;
            if is_there == 0 {
                return Ok(None);
            }
            let (from, tag, mut count) = (status.MPI_SOURCE as usize, status.MPI_TAG, 0);
            // SAFETY: the status belongs to the message that `MPI_Improbe` has found.
            checked("MPI_Get_count", unsafe { ffi::MPI_Get_count(&status, ffi::RSMPI_UINT8_T, &mut count) })?;
            let bytes = self.incomplete.entry(from).or_default();
            let before = bytes.len();
            bytes.resize(before + count as usize, 0);
            // SAFETY: the vector has `count` bytes from `before` on, as many as the part has.
            let code = unsafe {
                let room = bytes[before..].as_mut_ptr().cast();
                ffi::MPI_Mrecv(room, count, ffi::RSMPI_UINT8_T, &mut message, &mut status)
            };
            checked("MPI_Mrecv", code)?;
            if tag == LAST {
                return Ok(self.incomplete.remove(&from).map(|bytes| (from, bytes)));
            }
        }
    }

    fn unsent(&self) -> u64 {
        self.unsent
    }

    fn abort(&mut self, status: NonZeroU8) {
        // SAFETY: MPI is initialised; the call does not return.
        unsafe { ffi::MPI_Abort(ffi::RSMPI_COMM_WORLD, status.get().into()) };
    }
}

impl Drop for Mpi {
    fn drop(&mut self) {
        while !self.sending.is_empty() && self.drop_sent().is_ok() {
            std::thread::sleep(std::time::Duration::from_micros(50));
        }
        // SAFETY: no call of MPI follows. If a message could not be sent, MPI aborts the job.
        unsafe { ffi::MPI_Finalize() };
    }
}

//! Work that the threads of the current rayon pool share.
//!
//! Each type of work adds some 2,500 lines of LLVM code from rayon to a crate. Here they are compiled once, and call work through
//! a pointer, so that solvers, which are compiled for several types of words, compile in less time. A task takes a lock a few
//! times, so it should take a microsecond or more.

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

/// The state of a task.
enum Step<T, R> {
    Waiting(T),
    Begun,
    Done(R),
}

/// Calls `work` with each number below `count`. Returns early if `work` breaks.
pub fn each_below(count: usize, work: &(dyn Fn(usize) -> ControlFlow<()> + Sync)) -> ControlFlow<()> {
    // One task wakes no other threads.
    if count == 1 { work(0) } else { (0..count).into_par_iter().with_max_len(1).try_for_each(work) }
}

/// Calls `work` with each task.
pub fn for_each<T: Send>(tasks: impl IntoIterator<Item = T>, work: impl Fn(T) + Sync) {
    map(tasks, work);
}

/// The results of `work`, in the order of the tasks.
pub fn map<T: Send, R: Send>(tasks: impl IntoIterator<Item = T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let Ok(results) = try_map(tasks, |task| Ok::<_, Infallible>(work(task)));
    results
}

/// Like [`map`], for work that may fail.
///
/// # Errors
/// The first error of `work`. Soon after it, no more tasks begin.
pub fn try_map<T: Send, R: Send, E: Send>(
    tasks: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    // Loops, because they compile to less than `collect`.
    let mut steps = Vec::new();
    for task in tasks {
        steps.push(Mutex::new(Step::Waiting(task)));
    }
    let failed = Mutex::new(None);
    let flow = each_below(steps.len(), &|number| {
        let Step::Waiting(task) = replace(&steps[number], Step::Begun) else { unreachable!("each task begins once") };
        match work(task) {
            Ok(result) => {
                replace(&steps[number], Step::Done(result));
                ControlFlow::Continue(())
            }
            Err(error) => {
                lock(&failed).get_or_insert(error);
                ControlFlow::Break(())
            }
        }
    });
    if flow.is_break()
        && let Some(error) = replace(&failed, None)
    {
        return Err(error);
    }
    let mut results = Vec::with_capacity(steps.len());
    for step in &steps {
        let Step::Done(result) = replace(step, Step::Begun) else { unreachable!("all tasks are done") };
        results.push(result);
    }
    Ok(results)
}

/// Like [`try_map`], with memory that a task finds as another has left it, or as `memory` makes it if other tasks use all there is.
///
/// # Errors
/// The first error of `work`. Soon after it, no more tasks begin.
pub fn try_map_with<T: Send, M: Send, R: Send, E: Send>(
    tasks: impl IntoIterator<Item = T>,
    memory: impl Fn() -> M + Sync,
    work: impl Fn(&mut M, T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let memories = Mutex::new(Vec::new());
    try_map(tasks, |task| {
        let left = lock(&memories).pop();
        let mut own = left.unwrap_or_else(&memory);
        let result = work(&mut own, task);
        lock(&memories).push(own);
        result
    })
}

fn replace<T>(place: &Mutex<T>, value: T) -> T {
    std::mem::replace(&mut *lock(place), value)
}

/// No lock is held while a task runs, so a panic in a task leaves no value half-written.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn results_are_in_the_order_of_tasks() {
        for count in [0, 1, 2, 1000] {
            assert_eq!(map(0..count, |task| task * task), (0..count).map(|task| task * task).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_error_ends_the_work() {
        let begun = AtomicUsize::new(0);
        let work = |memory: &mut usize, task: usize| {
            *memory += 1;
            begun.fetch_add(1, Ordering::Relaxed);
            if task == 10 { Err(task) } else { Ok(*memory) }
        };
        assert_eq!(try_map_with(0..1_000_000, || 0, work), Err(10));
        assert!(begun.into_inner() < 1_000_000);
    }

    #[test]
    fn memory_goes_from_task_to_task() {
        let made = AtomicUsize::new(0);
        let memory = || {
            made.fetch_add(1, Ordering::Relaxed);
            0
        };
        let count = |memory: &mut usize, ()| {
            *memory += 1;
            Ok::<_, Infallible>(*memory == 1)
        };
        let Ok(first) = try_map_with([(); 1000], memory, count);
        let made = made.into_inner();
        assert_eq!(first.into_iter().filter(|&first| first).count(), made);
        assert!(made <= rayon::current_num_threads());
    }
}

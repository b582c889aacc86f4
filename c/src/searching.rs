//! One search at a time on an engine: who may begin one, how it ends.

use crate::border::{Failure, Status};
use engine::engine::dyn_engine::{DynEngine, SearchHandle};
use engine::search::limits::Stop;
use std::sync::mpsc::TryRecvError;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

/// An engine that searches, solves and analyses. Made by `flipside_engine_new`, freed by `flipside_engine_free`.
pub struct Engine {
    /// Locked while a call uses it; [`Engine::running`] tells about a search that no call waits for.
    engine: Mutex<Box<dyn DynEngine>>,
    /// Ends the running search; `None` without one, and once it was raised.
    stop: Mutex<Option<Arc<Stop>>>,
    /// A search that `flipside_search_start` began and nobody has waited for.
    running: Mutex<Option<SearchHandle>>,
    /// Threads of one search.
    pub threads: usize,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Engine {
    /// An engine at rest.
    pub fn new(engine: Box<dyn DynEngine>, threads: usize) -> Engine {
        Engine { engine: Mutex::new(engine), stop: Mutex::default(), running: Mutex::default(), threads }
    }

    /// The engine for a call.
    ///
    /// # Errors
    /// It is searching for another call.
    pub fn at_rest(&self) -> Result<MutexGuard<'_, Box<dyn DynEngine>>, Failure> {
        let busy = || Failure(Status::Busy, "the engine is searching: wait for it, or make another one".into());
        let guard = match self.engine.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(error)) => error.into_inner(),
            Err(TryLockError::WouldBlock) => return Err(busy()),
        };
        let mut running = lock(&self.running);
        // A search that has ended by itself leaves its handle.
        let has_ended =
            running.as_ref().is_none_or(|handle| !matches!(handle.ended.try_recv(), Err(TryRecvError::Empty)));
        if !has_ended {
            return Err(busy());
        }
        *running = None;
        Ok(guard)
    }

    /// Remembers how to stop the search that begins now.
    pub fn begin(&self, stop: Option<Arc<Stop>>) {
        *lock(&self.stop) = stop;
    }

    /// Goes on with the next search of a call; false if [`Engine::stop`] has ended the call.
    pub fn go_on(&self, stop: &Arc<Stop>) -> bool {
        let mut running = lock(&self.stop);
        match &mut *running {
            Some(last) => {
                *last = Arc::clone(stop);
                true
            }
            None => false,
        }
    }

    /// Leaves a search running.
    pub fn leave_running(&self, handle: SearchHandle) {
        self.begin(Some(Arc::clone(&handle.stop)));
        *lock(&self.running) = Some(handle);
    }

    /// Stops the running search, if there is one.
    pub fn stop(&self) {
        if let Some(stop) = lock(&self.stop).take() {
            stop.raise();
        }
    }

    /// Waits for the search that was left running.
    pub fn wait(&self) -> Result<(), Failure> {
        let handle = lock(&self.running).take();
        handle.map_or(Ok(()), SearchHandle::join).map_err(Failure::failed)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
        // Its callback must not be called afterwards; a failure of the search is nobody's any more.
        let _ = self.wait();
    }
}

//! `asyncio.gather`.
//!
//! Knows tasks; what each of them does is its own affair.
//! Rules: asyncio's: the first exception ends the gathering, the other parts go on.

use std::rc::Rc;

use super::awaitable::{Task, cancelled, finished, start};
use super::cancellation::Cancellation;
use super::coroutine::Program;
use super::exception::Halt;
use super::value::Value;
use crate::protocol::SourcePlace;

pub(super) async fn gather(
    program: &Rc<Program>,
    parts: &[Value],
    return_exceptions: bool,
    place: &SourcePlace,
    cancellation: &Rc<Cancellation>,
) -> Result<Value, Halt> {
    let mut tasks = Vec::new();
    for part in parts {
        tasks.push(start(program, part, place)?);
    }
    let all = async {
        // The first exception ends the gathering; the other parts go on, as in asyncio.
        if !return_exceptions {
            first_failure(&tasks).await?;
        }
        let mut results = Vec::new();
        for task in &tasks {
            results.push(match finished(task).await {
                Ok(value) => value,
                Err(Halt::Raised(raised)) => super::exception::instance(&raised),
                Err(gave_up) => return Err(gave_up),
            });
        }
        Ok(Value::list(results))
    };
    tokio::select! {
        biased;
        ended = all => return ended,
        () = cancellation.requested() => {}
    }
    cancellation.take();
    for task in &tasks {
        task.cancellation.request();
    }
    for task in &tasks {
        if let Err(Halt::GaveUp(unknown)) = finished(task).await {
            return Err(Halt::GaveUp(unknown));
        }
    }
    Err(cancelled(place))
}

/// Returns when every task has succeeded, or with the failure that came first.
async fn first_failure(tasks: &[Rc<Task>]) -> Result<(), Halt> {
    let mut waiting: Vec<_> = tasks.iter().map(|task| Box::pin(finished(task))).collect();
    std::future::poll_fn(move |context| {
        let mut failure = None;
        waiting.retain_mut(|task| match task.as_mut().poll(context) {
            std::task::Poll::Pending => true,
            std::task::Poll::Ready(Ok(_)) => false,
            std::task::Poll::Ready(Err(halt)) => {
                failure.get_or_insert(halt);
                false
            }
        });
        match failure {
            Some(halt) => std::task::Poll::Ready(Err(halt)),
            None if waiting.is_empty() => std::task::Poll::Ready(Ok(())),
            None => std::task::Poll::Pending,
        }
    })
    .await
}

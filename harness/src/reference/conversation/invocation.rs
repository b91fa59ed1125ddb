//! Runs one tool: its context, its limits, what comes of it.
//!
//! Rules: chapters CTX, RES, TIM and CAN. A tool that was not cut off at an await counts as returned, also
//! when the turn has been cut off meanwhile (CAN-28).

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use serde_json::json;
use tokio::time::{Instant, sleep, sleep_until};

use super::context::{SuppliedButtons, ToolContext};
use super::outside::{RunOutside, UNENDED, next_behaviour};
use super::shared::Shared;
use crate::protocol::{
    Json, Part, ServerId, ServiceResult, SkillId, ToolName, ToolRun, ToolRunOutcome, Trigger,
};
use crate::reference::loaded::{Agent, Tool, ToolBody};
use crate::reference::python::{
    Arguments, Awaitable, Cancellation, Function, Halt, Program, Turns, Value, drive, from_json, to_json,
};

/// How long handlers may go on after a cut, in virtual milliseconds (contract-notes, "9. Execution loop").
const UNWINDING_MS: u64 = 500;

/// What came of a tool run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Invocation {
    /// How it ended.
    pub(crate) outcome: ToolRunOutcome,
    /// What the model reads; null when it was cut off.
    pub(crate) result: Json,
    /// Whether it counts as an error.
    pub(crate) error: bool,
}

/// What a tool run is asked for.
pub(crate) struct Call<'call> {
    /// The skill whose memory bare names mean.
    pub(crate) skill: &'call SkillId,
    /// The tool.
    pub(crate) tool: &'call Tool,
    /// Its arguments, an object.
    pub(crate) arguments: &'call Json,
    /// What started it.
    pub(crate) trigger: Trigger,
    /// Where a button source puts its buttons.
    pub(crate) buttons: Option<SuppliedButtons>,
}

/// Runs a tool. The error is a body outside the subset that is run.
pub(crate) async fn invoke(agent: &Agent, shared: &Rc<Shared>, call: Call<'_>) -> Result<Invocation, String> {
    let number = begin(shared, call.tool, call.arguments, call.trigger);
    let outer = shared.run.replace(number);
    let invocation = match &call.tool.body {
        ToolBody::Function(function) => run_function(agent, shared, &call, function, number).await?,
        ToolBody::Mcp(server) => run_mcp(agent, shared, server, &call.tool.name).await,
        ToolBody::Unreadable(why) => {
            return Err(format!("the tool `{}` cannot be run: {why}", call.tool.name));
        }
    };
    shared.run.set(outer);
    let now = shared.now_ms();
    shared.with_run(number, |run| {
        run.ended_ms = now;
        run.outcome = invocation.outcome;
        for one in run.awaits.iter_mut().filter(|one| one.ended_ms == UNENDED) {
            one.ended_ms = now;
        }
    });
    shared.run_happens(number, |position| Part::Tool(position).ends());
    Ok(invocation)
}

fn begin(shared: &Shared, tool: &Tool, arguments: &Json, trigger: Trigger) -> usize {
    let now = shared.now_ms();
    let mut trace = shared.trace.borrow_mut();
    let moment = Part::Tool(trace.tools.len()).begins();
    shared.happens(&mut trace, moment);
    trace.tools.push(ToolRun {
        tool: tool.name.clone(),
        trigger,
        arguments: arguments.clone(),
        started_ms: now,
        ended_ms: now,
        outcome: ToolRunOutcome::Returned,
        awaits: Vec::new(),
    });
    shared.earlier_runs.get() + trace.tools.len() - 1
}

async fn run_function(
    agent: &Agent,
    shared: &Rc<Shared>,
    call: &Call<'_>,
    function: &Rc<Function>,
    number: usize,
) -> Result<Invocation, String> {
    let context = Value::Host(Rc::new(ToolContext {
        shared: Rc::clone(shared),
        skill: call.skill.clone(),
        llm_config: agent.configuration.llm.clone(),
        has_index: agent.has_index,
        is_hook: call.trigger == Trigger::Hook,
        buttons: call.buttons.clone(),
    }));
    let mut arguments = Arguments::default();
    for (name, value) in call.arguments.as_object().into_iter().flatten() {
        arguments.keywords.insert(Rc::from(name.as_str()), from_json(value));
    }
    arguments.keywords.insert(Rc::from("context"), context);
    let root = Rc::new(Cancellation::default());
    let program = Rc::new(Program {
        outside: Rc::new(RunOutside { shared: Rc::clone(shared), run: number }),
        modules: Rc::clone(&agent.modules),
        world: Rc::clone(&agent.world),
        root: Rc::clone(&root),
        turns: Turns::default(),
        spent: Cell::default(),
        suspensions: Cell::default(),
        busy: Cell::default(),
    });
    let work = async {
        let awaitable = Rc::new(Awaitable::call(Rc::clone(function), arguments));
        let ended = drive(&program, &awaitable, &function.place, &root).await?;
        match ended {
            // A plain function may return what is to be awaited, as a guard does.
            Value::Awaitable(inner) if !function.is_async() => {
                drive(&program, &inner, &function.place, &root).await
            }
            _ if !function.is_async() => Err(not_awaitable(function, &ended)),
            ended => Ok(ended),
        }
    };
    let limit = Duration::from_millis(agent.configuration.tool_timeout_ms);
    let ended = within_limits(shared, work, &program, limit).await;
    Ok(match ended {
        Ended::TimedOut => failed(ToolRunOutcome::TimedOut, &timeout_message(&call.tool.name, limit)),
        Ended::Abandoned => cut_off(),
        Ended::Finished(_) if root.was_raised() => cut_off(),
        Ended::Finished(Ok(value)) => returned(&value),
        Ended::Finished(Err(Halt::Raised(raised))) => failed(ToolRunOutcome::Raised, &raised.describe()),
        Ended::Finished(Err(Halt::GaveUp(unknown))) => {
            let place = &unknown.place;
            return Err(format!(
                "{}:{}:{}: outside the Python that the reference runs: {}",
                place.file, place.line, place.column, unknown.why
            ));
        }
    })
}

enum Ended {
    Finished(Result<Value, Halt>),
    /// The tool's own limit expired.
    TimedOut,
    /// Its handlers took too long after a cut.
    Abandoned,
}

/// Runs a tool's work until it is done, its limit expires (TIM-01 to TIM-08) or the turn is cut off.
async fn within_limits(
    shared: &Rc<Shared>,
    work: impl Future<Output = Result<Value, Halt>>,
    program: &Rc<Program>,
    limit: Duration,
) -> Ended {
    let root = &program.root;
    tokio::pin!(work);
    let expires = Instant::now() + limit;
    let cut = shared.cut_instant();
    let cut_comes = async {
        match cut {
            Some(at) => sleep_until(at).await,
            None => std::future::pending().await,
        }
    };
    let timed_out = tokio::select! {
        biased;
        ended = &mut work => return Ended::Finished(ended),
        () = cut_comes => false,
        () = sleep_until(expires) => true,
    };
    if !timed_out {
        shared.cut();
    }
    root.request();
    let unwound = tokio::select! {
        biased;
        ended = &mut work => Some(ended),
        () = overdue(program) => None,
    };
    match unwound {
        Some(gave_up @ Err(Halt::GaveUp(_))) => Ended::Finished(gave_up),
        _ if timed_out && root.was_raised() => Ended::TimedOut,
        Some(ended) => Ended::Finished(ended),
        None if timed_out => Ended::TimedOut,
        None => Ended::Abandoned,
    }
}

/// Waits until handlers have had their time. Synchronous code is never stopped (CAN-07, CAN-28): the time runs
/// from the raise, and ends at an await.
async fn overdue(program: &Program) {
    program.root.raised().await;
    sleep(Duration::from_millis(UNWINDING_MS)).await;
    while program.busy.get() > 0 {
        tokio::task::yield_now().await;
    }
}

fn not_awaitable(function: &Function, value: &Value) -> Halt {
    let message = format!("object {} can't be used in 'await' expression", value.class_name());
    crate::reference::python::raise("TypeError", message, &function.place)
}

fn timeout_message(tool: &ToolName, limit: Duration) -> String {
    format!("the tool `{tool}` took longer than {} seconds", limit.as_secs_f64())
}

fn cut_off() -> Invocation {
    Invocation { outcome: ToolRunOutcome::Cancelled, result: Json::Null, error: false }
}

fn failed(outcome: ToolRunOutcome, message: &str) -> Invocation {
    Invocation { outcome, result: json!({"error": message}), error: true }
}

/// What a tool that returned gives the model (RES-01 to RES-04; RES-17 and RES-18 observed).
fn returned(value: &Value) -> Invocation {
    let Value::Record(record) = value else {
        let message = format!("the tool returned {} instead of a ToolResult", value.class_name());
        return failed(ToolRunOutcome::Returned, &message);
    };
    let response = record.fields.borrow().get("llm_response").cloned().unwrap_or(Value::None);
    match to_json(&response) {
        Ok(result) => Invocation { outcome: ToolRunOutcome::Returned, result, error: false },
        Err(what) => {
            failed(ToolRunOutcome::Returned, &format!("llm_response holds {what}, which JSON cannot express"))
        }
    }
}

/// Calls a tool of an MCP server: as long as its script says, within the server's or the agent's limit.
async fn run_mcp(agent: &Agent, shared: &Rc<Shared>, server: &ServerId, tool: &ToolName) -> Invocation {
    let listed = agent
        .world
        .mcp
        .get(server)
        .and_then(|server| server.tools.iter().find(|one| one.name == tool.as_str()));
    let calls = listed.map_or(&[][..], |listed| &listed.calls);
    let behaviour =
        next_behaviour(shared, &format!("mcp/{server}:{tool}"), calls).cloned().unwrap_or_default();
    let limit = agent.configuration.server_timeout_ms(server);
    let cut = async {
        match shared.cut_instant() {
            Some(at) => sleep_until(at).await,
            None => std::future::pending().await,
        }
    };
    if shared.suspends() {
        return cut_off();
    }
    tokio::select! {
        biased;
        () = sleep(Duration::from_millis(behaviour.takes_ms.min(limit))) => {}
        () = cut => {
            shared.cut();
            return cut_off();
        }
    }
    if behaviour.takes_ms > limit {
        return failed(ToolRunOutcome::TimedOut, &timeout_message(tool, Duration::from_millis(limit)));
    }
    match behaviour.ends {
        ServiceResult::Returns(result) => {
            Invocation { outcome: ToolRunOutcome::Returned, result, error: false }
        }
        // What went wrong on the server is not the model's business.
        ServiceResult::Raises { .. } => failed(ToolRunOutcome::Raised, &format!("the tool `{tool}` failed")),
    }
}

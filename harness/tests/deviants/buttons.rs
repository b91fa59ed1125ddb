//! Deviants in chapter BTN: what runs before a response, and what a tap does.
//!
//! Sources are rewritten on the way in, messages and what is heard of a tap are changed in the trace.
//! Rules: tools-reference, "`context.set_buttons`"; contract-notes on dynamic buttons.

use harness::protocol::{
    Button, MessageRecord, Sender, ToolRunOutcome, Trigger, TurnTrace, UserInput, Visibility,
};
use serde_json::json;

use crate::change::{patch, rewrite, sub};
use crate::deviant::{Asked, Deviant, Seen, deviant};
use crate::hooks::{dispatching, offering};

pub(crate) fn table() -> Vec<Deviant> {
    let mut table = sources();
    table.extend(taps());
    table
}

fn each_response(trace: &mut TurnTrace, change: impl FnMut(&mut MessageRecord)) {
    trace.messages.iter_mut().filter(|message| message.sender == Sender::Response).for_each(change);
}

fn buttons_by(name: &'static str, breaks: &'static str, helper: &'static str) -> Deviant {
    deviant(name, breaks)
        .load(move |asked| patch(asked, r"\bcontext\.set_buttons\(", "_buttons(context, ", helper))
}

fn sourceless(asked: &mut Asked) {
    rewrite(
        asked,
        |path| path.ends_with("responses.yml"),
        |_, text| sub(text, r"(?m)^\s+buttons: \{source: \w+\}\n", ""),
    );
}

fn failed_source(trace: &TurnTrace, outcome: ToolRunOutcome) -> bool {
    trace.tools.iter().any(|run| run.trigger == Trigger::ButtonSource && run.outcome == outcome)
}

fn made_up_button() -> Button {
    Button { title: "More".to_owned(), payload: "more".to_owned() }
}

fn sources() -> Vec<Deviant> {
    vec![
        deviant("a button source does not run", "BTN-01 BTN-03 BTN-10").load(sourceless),
        deviant("a button source runs once a conversation", "BTN-01").trace(|trace, seen| {
            if seen
                .earlier
                .iter()
                .any(|turn| turn.tools.iter().any(|run| run.trigger == Trigger::ButtonSource))
            {
                trace.tools.retain(|run| run.trigger != Trigger::ButtonSource);
                each_response(trace, |message| message.buttons.clear());
            }
        }),
        dispatching("the model can call a button source", "BTN-02", Visibility::ButtonSource),
        deviant("buttons come in reverse", "BTN-03")
            .trace(|trace, _| each_response(trace, |message| message.buttons.reverse())),
        buttons_by(
            "a second list of buttons is added to the first",
            "BTN-04",
            "_KEPT = []\ndef _buttons(context, buttons):\n    _KEPT.extend(buttons)\n    context.set_buttons(_KEPT)",
        ),
        deviant("there is always a button", "BTN-05").trace(|trace, _| {
            if trace.tools.iter().any(|run| run.trigger == Trigger::ButtonSource) {
                each_response(trace, |message| message.buttons.push(made_up_button()));
            }
        }),
        buttons_by(
            "set_buttons does nothing where it has no place",
            "BTN-06 BTN-07 BTN-08",
            "def _buttons(context, buttons):\n    try:\n        context.set_buttons(buttons)\n    except RuntimeError:\n        pass",
        ),
        deviant("what a source sends carries the buttons", "BTN-09").trace(|trace, _| {
            let buttons: Vec<Button> =
                trace.messages.iter().flat_map(|message| message.buttons.clone()).collect();
            trace
                .messages
                .iter_mut()
                .filter(|message| message.sender == Sender::Tool)
                .for_each(|message| message.buttons.clone_from(&buttons));
        }),
        deviant("what a source sends comes after the response", "BTN-10")
            .trace(|trace, _| trace.messages.sort_by_key(|message| message.sender == Sender::Tool)),
        deviant("a source is told its response", "BTN-11")
            .load(|asked| patch(asked, r#"(\bresponse: str = )"[^"]*""#, "$1\"utter_choices\"", "")),
        deviant("a source resolves bare names nowhere", "BTN-12").load(|asked| {
            patch(
                asked,
                r"context\.memory\.get\(",
                "_nothing(",
                "def _nothing(name, default=None):\n    return default",
            );
        }),
        deviant("a source that fails takes its response with it", "BTN-13").trace(|trace, _| {
            if failed_source(trace, ToolRunOutcome::Raised) {
                trace.messages.retain(|message| message.sender != Sender::Response);
            }
        }),
        deviant("a source that is stopped takes its response with it", "BTN-14").trace(|trace, _| {
            if failed_source(trace, ToolRunOutcome::TimedOut) {
                trace.messages.retain(|message| message.sender != Sender::Response);
            }
        }),
        deviant("a button that cannot be delivered takes its siblings with it", "BTN-29")
            .trace(|trace, _| each_response(trace, |message| message.buttons.clear())),
        deviant("a button that cannot be written is delivered", "BTN-29")
            .trace(|trace, _| each_response(trace, |message| message.buttons.push(made_up_button()))),
        offering("a button source is offered", "BTN-33", Visibility::ButtonSource),
    ]
}

/// The payload of the button that this turn taps.
fn payload(seen: &Seen) -> Option<String> {
    let Some(UserInput::Taps { title }) = seen.turn.as_ref().map(|turn| &turn.input) else { return None };
    let buttons =
        seen.earlier.iter().rev().flat_map(|turn| &turn.messages).flat_map(|message| &message.buttons);
    buttons.into_iter().find(|button| button.title == *title).map(|button| button.payload.clone())
}

fn hear(trace: &mut TurnTrace, text: Option<&str>) {
    trace.llm_calls.iter_mut().for_each(|call| call.heard = text.map(str::to_owned));
}

/// Writes what a payload says, whatever it is.
fn obey(trace: &mut TurnTrace, payload: &str) {
    if let Some((name, value)) = payload.strip_prefix("set:session.").and_then(|rest| rest.split_once('=')) {
        trace.memory.insert(name.to_owned(), json!(value));
    }
}

fn taps() -> Vec<Deviant> {
    vec![
        deviant("a tap is a text", "BTN-15 BTN-21 BTN-23").turn(|turn, _| {
            if let UserInput::Taps { title } = &turn.input {
                turn.input = UserInput::Says(title.clone());
            }
        }),
        deviant("a payload is written as a call", "BTN-16").trace(|trace, _| {
            trace
                .messages
                .iter_mut()
                .flat_map(|message| &mut message.buttons)
                .for_each(|button| button.payload = button.payload.replace("set:", "/set "));
        }),
        deviant("the model reads the payload", "BTN-17").trace(|trace, seen| {
            if let Some(payload) = payload(seen).filter(|payload| payload.starts_with("set:")) {
                hear(trace, Some(&payload));
            }
        }),
        deviant("the model does not hear of a tap", "BTN-18").trace(|trace, _| hear(trace, None)),
        deviant("a tap sends the title", "BTN-19").trace(|trace, seen| {
            if let Some(UserInput::Taps { title }) = seen.turn.as_ref().map(|turn| &turn.input) {
                hear(trace, Some(title));
                trace
                    .events
                    .iter_mut()
                    .filter(|event| event.event == "user")
                    .for_each(|event| _ = event.data.insert("text".to_owned(), json!(title)));
            }
        }),
        deviant("a tap runs no hook", "BTN-21").trace(|trace, seen| {
            if payload(seen).is_some() {
                trace.tools.retain(|run| run.trigger != Trigger::Hook);
            }
        }),
        deviant("a tapped value stays though its hook rejects it", "BTN-22").trace(|trace, seen| {
            if let Some(payload) = payload(seen) {
                obey(trace, &payload);
            }
        }),
        deviant("what the user types can write", "BTN-24").trace(|trace, seen| {
            if let Some(UserInput::Says(text)) = seen.turn.as_ref().map(|turn| &turn.input) {
                obey(trace, text);
            }
        }),
        deviant("a tap writes whatever it names", "BTN-25 BTN-26").trace(|trace, seen| {
            if let Some(payload) = payload(seen) {
                obey(trace, &payload);
            }
        }),
    ]
}

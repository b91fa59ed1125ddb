//! The shape of a scenario, key by key.
//!
//! Data only: what is said here is checked and published by the modules beside it.
//! Rules: `docs/scenarios.md`; a key that is added here is described there.

use super::duration;
use crate::source::shape::{Key, Record, Shape, Spelling};
use crate::spec::{CAPABILITIES, REQUIREMENT_ID};

const DURATION: Shape = Shape::Spelled(&Spelling {
    wanted: "a duration",
    complaint: |text| duration::parse(text).err().map(|error| error.to_string()),
    remedy: duration::SPELLING,
    expression: r"^[0-9]+(\.[0-9]+)?(ms|s|m|h|d)$",
});

const fn required(name: &'static str, shape: Shape, meaning: &'static str) -> Key {
    Key { name, shape, required: true, meaning }
}

const fn optional(name: &'static str, shape: Shape, meaning: &'static str) -> Key {
    Key { name, shape, required: false, meaning }
}

const fn list(item: &'static Shape) -> Shape {
    Shape::List { item, may_be_empty: true }
}

/// A scenario.
pub(crate) static SCENARIO: Record = Record {
    name: "a scenario",
    definition: "Scenario",
    keys: &[
        required(
            "scenario",
            Shape::Name,
            "The title: one sentence that claims something, unique in the suite.",
        ),
        required(
            "covers",
            Shape::List { item: &Shape::Spelled(&REQUIREMENT_ID), may_be_empty: false },
            "The clauses whose breach this scenario notices, by their ids in specs/*.yml.",
        ),
        optional(
            "needs",
            list(&Shape::Word(CAPABILITIES)),
            "Capabilities beyond those of the covered clauses.",
        ),
        optional("tags", list(&Shape::Name), "Words for `--tag`."),
        optional(
            "project",
            Shape::Dictionary(&Shape::File),
            "The agent project: files by path, taken literally. What is needed and left out is filled in; a null keeps a file out.",
        ),
        optional(
            "control",
            Shape::Dictionary(&Shape::File),
            "Files that make a rejected project sound: merged over `project`; a null removes a file.",
        ),
        optional(
            "broken_python",
            Shape::True,
            "A *.py file of `project` is not valid Python, and that is the point.",
        ),
        optional(
            "broken_yaml",
            Shape::True,
            "A *.yml file of `project` is not valid YAML, and that is the point.",
        ),
        optional("world", Shape::Record(&WORLD), "The outside world."),
        optional("session", Shape::Record(&SESSION), "Where the conversation starts."),
        optional("expect", Shape::Defined(&["LoadReport"]), "What the load report must match."),
        optional("steps", list(&Shape::Record(&STEP)), "What happens after loading, in order."),
        optional(
            "sweep",
            Shape::Word(&["cancellation"]),
            "Runs the last turn again and again, cut off at every suspension and every instant of it, then repeats it uncut.",
        ),
        optional("always", Shape::Record(&ALWAYS), "What must hold wherever the swept turn is cut off."),
    ],
};

static ALWAYS: Record = Record {
    name: "what always holds",
    definition: "Always",
    keys: &[
        optional(
            "at_most_once",
            list(&Shape::Name),
            "Services that return at most once over the cut turn and its repetition.",
        ),
        optional(
            "never_after_cut",
            list(&Shape::Name),
            "Services that no call reaches once the turn is cut off.",
        ),
        optional("interrupted", Shape::Defined(&["TurnTrace"]), "What the trace of the cut turn must match."),
        optional("repeated", Shape::Defined(&["TurnTrace"]), "What the trace of its repetition must match."),
    ],
};

static WORLD: Record = Record {
    name: "the outside world",
    definition: "World",
    keys: &[
        optional(
            "services",
            Shape::Dictionary(&Shape::OneOrMany(&Shape::Record(&BEHAVIOUR))),
            "Awaitables reached through `from lib.world import <name>`: what a call does, or a list of that, call by call; the last repeats.",
        ),
        optional("mcp", Shape::Dictionary(&Shape::Record(&SERVER)), "MCP servers, by name."),
        optional("knowledge", list(&Shape::Record(&PASSAGE)), "What a knowledge search finds."),
        optional(
            "packages",
            list(&Shape::Name),
            "Python packages installed beside the standard library and rasa.",
        ),
    ],
};

static BEHAVIOUR: Record = Record {
    name: "what a call does",
    definition: "Behaviour",
    keys: &[
        optional("takes", DURATION, "How long the call takes; at once when left out."),
        optional("returns", Shape::Anything, "The value it ends with; null when left out."),
        optional("raises", Shape::Record(&EXCEPTION), "The exception it ends with instead."),
    ],
};

static EXCEPTION: Record = Record {
    name: "an exception",
    definition: "Exception",
    keys: &[
        required("type", Shape::Name, "The exception's class, for example RuntimeError."),
        optional("message", Shape::Text, "Its message."),
    ],
};

static SERVER: Record = Record {
    name: "an MCP server",
    definition: "McpServer",
    keys: &[
        optional("tools", list(&Shape::Record(&MCP_TOOL)), "The tools it lists."),
        optional(
            "fails",
            Shape::Word(&["connect", "authenticate", "list"]),
            "How it fails when the agent starts.",
        ),
    ],
};

static MCP_TOOL: Record = Record {
    name: "a tool of an MCP server",
    definition: "McpTool",
    keys: &[
        required("name", Shape::Name, "Its bare name."),
        optional("description", Shape::Text, "What the server says about it."),
        optional("parameters", Shape::Anything, "The input schema as the server lists it."),
        optional(
            "calls",
            Shape::OneOrMany(&Shape::Record(&BEHAVIOUR)),
            "What its calls do, one by one; the last repeats.",
        ),
    ],
};

static PASSAGE: Record = Record {
    name: "a passage",
    definition: "Passage",
    keys: &[
        required("text", Shape::Name, "What it says."),
        optional("source", Shape::Text, "The file it comes from."),
    ],
};

static SESSION: Record = Record {
    name: "a session",
    definition: "Session",
    keys: &[
        optional("active", Shape::Name, "The skill that is already active."),
        optional(
            "memory",
            Shape::Dictionary(&Shape::Anything),
            "Memory already written, by full name: `<skill>.<entry>` or `project.<entry>`.",
        ),
        optional(
            "channel",
            Shape::Word(&["text", "voice"]),
            "How the user talks to the agent; text when left out.",
        ),
        optional("metadata", Shape::Dictionary(&Shape::Anything), "What the channel knows at session start."),
    ],
};

static STEP: Record = Record {
    name: "a step",
    definition: "Step",
    keys: &[
        optional("user", Shape::Text, "The user says this."),
        optional("tap", Shape::Text, "The user taps the button with this title, of the latest message."),
        optional("wait", DURATION, "Time passes."),
        optional("llm", list(&Shape::Record(&REPLY)), "What the model answers, one entry a call."),
        optional("interrupt", Shape::Record(&INTERRUPT), "What cuts the turn off."),
        optional(
            "expect",
            Shape::Defined(&["TurnTrace", "WaitReport"]),
            "What the trace of this step must match.",
        ),
    ],
};

static INTERRUPT: Record = Record {
    name: "an interrupt",
    definition: "Interrupt",
    keys: &[
        optional("at", DURATION, "So long after the turn began."),
        optional("at_await", Shape::Count, "At the n-th suspension in tool code, counted from 1."),
        optional(
            "cause",
            Shape::Word(&["barge_in", "session_timeout", "disconnect"]),
            "Why; barge_in when left out.",
        ),
    ],
};

static REPLY: Record = Record {
    name: "an answer of the model",
    definition: "Reply",
    keys: &[
        optional("say", Shape::Text, "Text for the user."),
        ACTIVATE,
        COMPLETE,
        CANCEL,
        SET,
        CORRECT,
        CONFIRM,
        SEARCH,
        CANNOT_HELP,
        LISTEN,
        CALL,
        optional("calls", list(&Shape::Record(&INTENTS)), "Several of these, in order."),
    ],
};

static INTENTS: Record = Record {
    name: "an intent of the model",
    definition: "Intents",
    keys: &[ACTIVATE, COMPLETE, CANCEL, SET, CORRECT, CONFIRM, SEARCH, CANNOT_HELP, LISTEN, CALL],
};

/// The keys of [`INTENTS`], for messages.
pub(crate) const INTENT_KEYS: &str =
    "activate, complete, cancel, set, correct, confirm, search, cannot_help, listen, call";

const ACTIVATE: Key = optional("activate", Shape::Name, "Start or switch to this skill.");
const COMPLETE: Key = optional("complete", Shape::True, "Mark the active skill finished.");
const CANCEL: Key = optional("cancel", Shape::True, "Abandon the active skill.");
const SET: Key =
    optional("set", Shape::Dictionary(&Shape::Anything), "Record memory values in one batch, in order.");
const CORRECT: Key = optional("correct", Shape::Record(&CORRECTION), "Revise a value given earlier.");
const CONFIRM: Key = optional("confirm", Shape::Flag, "Answer a pending confirmation.");
const SEARCH: Key = optional("search", Shape::Text, "Search the knowledge base.");
const CANNOT_HELP: Key =
    optional("cannot_help", Shape::Flag, "Decline; true when the request is within the agent's domain.");
const LISTEN: Key = optional("listen", Shape::True, "Wait silently.");
const CALL: Key = optional(
    "call",
    Shape::Dictionary(&Shape::Anything),
    "Call tools by their literal names with literal arguments, in order; an empty value means no arguments.",
);

static CORRECTION: Record = Record {
    name: "a correction",
    definition: "Correction",
    keys: &[
        required("entry", Shape::Name, "The full name of the memory entry."),
        required("value", Shape::Anything, "Its new value."),
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_for_messages_are_the_keys() {
        let keys: Vec<&str> = INTENTS.keys.iter().map(|key| key.name).collect();
        assert_eq!(INTENT_KEYS, keys.join(", "));
    }
}

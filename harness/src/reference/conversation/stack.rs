//! The stack of skills and blocks: what is active, what was interrupted.
//!
//! Rules: contract-notes, "How to read this" (scope), "11. Built-in tools" (activate, cancel).

use crate::protocol::{ActiveFrame, SkillId};

/// One entry of the stack: a skill's prose, or one of its ordered blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// A number of its own within the conversation.
    pub(crate) number: u64,
    /// The skill.
    pub(crate) skill: SkillId,
    /// The block; `None` for the skill's prose.
    pub(crate) block: Option<String>,
    /// In a block: the step that runs next.
    pub(crate) step: Option<String>,
    /// How it came to be here.
    pub(crate) entry: Entry,
    /// Whether another skill has interrupted it.
    pub(crate) interrupted: bool,
    /// In a block: the question that a collect step has asked, until the block goes on.
    pub(crate) asked: Option<Asked>,
}

/// A question of a collect step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    /// The step.
    pub(crate) step: String,
    /// How many events there were when only later writes began to count as an answer.
    pub(crate) since: usize,
}

/// How a frame came onto the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// It was activated.
    Activated,
    /// A block below it called it and waits.
    Called,
}

impl Frame {
    /// `<skill>` or `<skill>__<block>`.
    pub(crate) fn target(&self) -> String {
        match &self.block {
            Some(block) => format!("{}__{block}", self.skill),
            None => self.skill.to_string(),
        }
    }
}

/// The stack as the trace shows it; `None` when nothing is active.
pub(crate) fn active_frame(stack: &[Frame]) -> Option<ActiveFrame> {
    let top = stack.last()?;
    Some(ActiveFrame {
        skill: top.skill.clone(),
        block: top.block.clone(),
        pending_step: top.step.clone(),
        stack: stack.iter().map(Frame::target).collect(),
    })
}

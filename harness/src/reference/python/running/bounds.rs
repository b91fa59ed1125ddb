//! How long, how deep and how large a tool run may be.
//!
//! Counts; knows nothing of what is counted. All bodies of one run share the counts.
//! Rules: design, "Time and determinism": limits on every loop over input.

use super::super::exception::Halt;
use super::super::interpreter::Interpreter;
use super::site::Site;

/// How much work one tool run may do: a step of the evaluator, or this many bytes or items made or visited.
const MAXIMUM_WORK: u64 = 1_500_000;
/// How many bytes or items cost as much as one step.
const SIZE_OF_A_STEP: usize = 16;
/// How large a text, in bytes, or a container, in items, may be.
const MAXIMUM_SIZE: usize = 1_000_000;
/// How often one tool run may be suspended.
const MAXIMUM_SUSPENSIONS: u32 = 10_000;
/// How deep calls may nest, as in Python.
const MAXIMUM_CALLS: u32 = 990;
/// How much of a body's stack is left for what is done between two looks at it.
const STACK_MARGIN: usize = 1024 * 1024;

impl Interpreter<'_> {
    /// Counts a step of a running body.
    pub(in super::super) fn tick(&self, site: Site<'_>) -> Result<(), Halt> {
        self.spend(site, 1)
    }

    /// Counts the work of making or visiting something of a size, and refuses what is too large.
    pub(in super::super) fn work(&self, site: Site<'_>, size: usize) -> Result<(), Halt> {
        if size > MAXIMUM_SIZE {
            return Err(site.outside(format!("something larger than {MAXIMUM_SIZE} is not made")));
        }
        self.spend(site, u64::try_from(size / SIZE_OF_A_STEP).unwrap_or(u64::MAX))
    }

    fn spend(&self, site: Site<'_>, cost: u64) -> Result<(), Halt> {
        let Some(running) = self.running else { return Ok(()) };
        let spent = running.program.spent.get().saturating_add(cost);
        running.program.spent.set(spent);
        if spent > MAXIMUM_WORK {
            return Err(site.outside("the tool runs for more steps than are run"));
        }
        Ok(())
    }

    /// Counts a suspension.
    pub(in super::super) fn suspension(&self, site: Site<'_>) -> Result<(), Halt> {
        let Some(running) = self.running else { return Err(site.outside("nothing can be awaited here")) };
        let suspensions = running.program.suspensions.get() + 1;
        running.program.suspensions.set(suspensions);
        if suspensions > MAXIMUM_SUSPENSIONS {
            return Err(site.outside("the tool awaits more often than is run"));
        }
        Ok(())
    }

    /// Runs something one call deeper, as Python counts them.
    pub(in super::super) fn deeper<Outcome>(
        &mut self,
        site: Site<'_>,
        run: impl FnOnce(&mut Self) -> Result<Outcome, Halt>,
    ) -> Result<Outcome, Halt> {
        if self.calls >= MAXIMUM_CALLS {
            return Err(site.raise("RecursionError", "maximum recursion depth exceeded"));
        }
        self.look_at_stack(site)?;
        self.calls += 1;
        let outcome = run(self);
        self.calls -= 1;
        outcome
    }

    /// Raises before the stack of a body is used up.
    pub(in super::super) fn look_at_stack(&self, site: Site<'_>) -> Result<(), Halt> {
        let used = self.stack_top.saturating_sub(stack_address());
        if used > super::super::coroutine::STACK_BYTES - STACK_MARGIN {
            return Err(site.raise("RecursionError", "maximum recursion depth exceeded"));
        }
        Ok(())
    }
}

/// An address on the stack as it is now.
#[inline(never)]
pub(crate) fn stack_address() -> usize {
    let here = 0_u8;
    std::ptr::from_ref(std::hint::black_box(&here)).addr()
}

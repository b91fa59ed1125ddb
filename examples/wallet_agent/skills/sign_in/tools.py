from rasa.mantle.tools.decorator import ToolContext, tool
from rasa.mantle.tools.result import ToolResult


@tool(description="Check the customer's PIN of four digits")
async def check_pin(pin: str, context: ToolContext = None) -> ToolResult:
    # Bare names: the active skill's field, or else the project's.
    attempts = context.memory.get("attempts", 0) + 1
    context.memory.set("attempts", attempts)
    if len(pin) != 4:
        return ToolResult(llm_response={"ok": False, "attempts": attempts})

    # The skill has a `signed_in` of its own: the project's needs its full name. A field of the
    # project is written once.
    context.memory.set("signed_in", True)
    if context.memory.get("project.signed_in") is None:
        context.memory.set("project.signed_in", True)
    name = context.memory.get("display_name", "customer")
    await context.send(f"Welcome, {name}.")
    return ToolResult(llm_response={"ok": True})

from rasa.mantle.tools.decorator import ToolContext, tool
from rasa.mantle.tools.result import ToolResult


# WRONG: correct is the name of a built-in.
@tool(description="Correct the address on a label")
async def correct(address: str, context: ToolContext = None) -> ToolResult:
    return ToolResult()


@tool(description="Open a return for an order")
async def open_return(order_number: str, context: ToolContext = None) -> ToolResult:
    # WRONG: no memory.yml declares return_number.
    context.memory.set("return_number", "R-1")
    return ToolResult(llm_response={"return": "R-1"})

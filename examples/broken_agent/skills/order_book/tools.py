from rasa.mantle.tools.decorator import ToolContext, tool
from rasa.mantle.tools.result import ToolResult


@tool(description="Count the copies on the shelf")
async def count_stock(isbn: str, context: ToolContext = None) -> ToolResult:
    return ToolResult(llm_response={"copies": 3})


@tool(description="Say what a book costs")
async def quote_price(isbn: str, context: ToolContext = None) -> ToolResult:
    return ToolResult(llm_response={"price": 18})


# WRONG: the entry is called copies; nothing declares copy_count.
@tool(description="Check that the customer does not want too many copies")
async def run_after_setting_copy_count(context: ToolContext = None) -> ToolResult:
    if context.memory.get("copies", 0) > 3:
        return ToolResult(llm_response={"error": "We have three copies."})
    return ToolResult()

from rasa.mantle.tools.decorator import ToolContext, tool
from rasa.mantle.tools.result import ToolResult


# WRONG: the decorator needs a description, @tool(description="...").
@tool
async def read_review(isbn: str, context: ToolContext = None) -> ToolResult:
    return ToolResult(llm_response={"review": "A page-turner."})

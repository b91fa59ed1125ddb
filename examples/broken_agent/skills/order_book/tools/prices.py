from rasa.mantle.tools.decorator import ToolContext, tool
from rasa.mantle.tools.result import ToolResult


# WRONG, though it loads: this shadows the quote_price of ../tools.py.
@tool(description="Say what a book costs, with the discount for members")
async def quote_price(isbn: str, member: bool, context: ToolContext = None) -> ToolResult:
    return ToolResult(llm_response={"price": 15 if member else 18})

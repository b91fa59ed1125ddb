from rasa.mantle.tools.decorator import ToolContext, tool
from rasa.mantle.tools.result import ToolResult


@tool(description="Send a parcel to the customer")
async def send_parcel(order_number: str, context: ToolContext = None) -> ToolResult:
    return ToolResult(llm_response={"sent": True})


@tool(description="Print a label for a parcel that comes back")
async def print_label(order_number: str, context: ToolContext = None) -> ToolResult:
    return ToolResult(llm_response={"printed": True})

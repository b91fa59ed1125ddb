from rasa.mantle.tools.decorator import ToolContext, tool
from rasa.mantle.tools.result import ToolResult

from lib.wallet_book import CARDS


@tool(description="List the customer's cards by their labels")
async def list_cards(context: ToolContext = None) -> ToolResult:
    context.memory.set("card_list", CARDS)
    return ToolResult(llm_response={"labels": [card["label"] for card in CARDS]})

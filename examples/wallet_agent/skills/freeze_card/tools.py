from rasa.mantle.tools.decorator import ToolContext, tool
from rasa.mantle.tools.result import ToolResult

from lib import bank


@tool(description="Freeze the card that the customer has chosen")
async def freeze_chosen_card(context: ToolContext = None) -> ToolResult:
    card_id = context.memory.get("card_id")
    await bank.freeze(card_id)
    context.memory.set("frozen_card", card_id)
    return ToolResult(llm_response={"frozen": card_id})

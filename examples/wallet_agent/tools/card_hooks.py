from rasa.mantle.tools.decorator import ToolContext, tool
from rasa.mantle.tools.result import ToolResult


def find_card(label, cards):
    for card in cards:
        if card["label"] == label:
            return card
    return None


@tool(description="Turn the label that the customer chose into a card id")
async def run_after_setting_card_label(context: ToolContext = None) -> ToolResult:
    card = find_card(
        context.memory.get("card_label"),
        context.memory.get("card_list", []),
    )
    if card is None:
        return ToolResult(llm_response={"error": "The customer has no such card."})
    context.memory.set("card_id", card["id"])
    return ToolResult()

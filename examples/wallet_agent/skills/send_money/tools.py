from rasa.mantle.tools.decorator import ToolContext, tool
from rasa.mantle.tools.result import ToolResult

from lib import bank


@tool(description="Send this amount of money to the payee")
async def move_money(
    amount: float,
    context: ToolContext = None,
) -> ToolResult:
    # By full name: a public field of another skill, and a field of the project.
    if context.memory.get("freeze_card.frozen_card") is not None:
        await context.send("One of your cards is frozen. I send this from your wallet.")
    if not context.memory.get("project.signed_in", False):
        return ToolResult(llm_response={"sent": False, "reason": "not signed in"})

    # The last look before what cannot be undone: the customer may have spoken meanwhile.
    if context.is_cancelled:
        return ToolResult(llm_response={"sent": False, "reason": "the turn is over"})

    receipt = await bank.pay_out(amount, context.memory.get("payment_day"))
    context.memory.set("send_money.receipt", receipt)
    return ToolResult(llm_response={"sent": True, "receipt": receipt})

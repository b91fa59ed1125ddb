from rasa.mantle.tools.decorator import ToolContext, tool
from rasa.mantle.tools.result import ToolResult

from lib import bank
from lib.wallet_book import CURRENCY, WALLETS


@tool(description="Tell how much money is in the wallet with this account id")
async def look_up_funds(
    account_id: str,
    context: ToolContext = None,
) -> ToolResult:
    if account_id not in WALLETS:
        return ToolResult(llm_response={"error": "There is no wallet with this id."})
    funds = await bank.funds_of(account_id)
    context.memory.set("latest_account", account_id)
    context.memory.set("latest_funds", funds)
    return ToolResult(llm_response={"funds": funds, "currency": CURRENCY})

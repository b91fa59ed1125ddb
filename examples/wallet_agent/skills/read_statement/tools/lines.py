import asyncio

from rasa.mantle.tools.decorator import ToolContext, tool
from rasa.mantle.tools.result import ToolResult

from lib import bank


@tool(description="Read the lines of the statement of the wallet with this account id")
async def stream_lines(
    account_id: str,
    context: ToolContext = None,
) -> ToolResult:
    stream = await bank.open_lines(account_id)
    try:
        lines = await stream.read_all()
    except asyncio.CancelledError:
        await stream.close()
        raise
    await stream.close()
    return ToolResult(llm_response={"lines": lines})

from rasa.mantle.tools.buttons import Button
from rasa.mantle.tools.decorator import ToolContext, tool
from rasa.mantle.tools.result import ToolResult


@tool(description="Offer days on which the money can go out")
async def offer_days(context: ToolContext = None) -> ToolResult:
    day = "session.send_money.payment_day"
    context.set_buttons(
        [
            Button(title="Today", value="today", ref=day),
            Button(title="On the first", value="first_of_month", ref=day),
            Button(title="On another day", value="I would like another day"),
        ]
    )
    return ToolResult()

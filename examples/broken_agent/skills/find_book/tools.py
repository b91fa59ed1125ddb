from rasa.mantle.tools.decorator import ToolContext, tool
from rasa.mantle.tools.result import ToolResult


# WRONG: a tool must be an async function.
@tool(description="Find a book by its title")
def find_by_title(title: str, context: ToolContext = None) -> ToolResult:
    context.memory.set("isbn", "978-0-00-000000-2")
    return ToolResult(llm_response={"isbn": "978-0-00-000000-2"})

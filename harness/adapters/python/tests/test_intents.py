"""An intent is said in the words of the offered tools."""

import unittest

from mantle_conformance import Intent, spell


def parameters(**properties: object) -> object:
    return {"type": "object", "properties": properties}


class Spelling(unittest.TestCase):
    def test_activate_uses_the_one_property_with_an_enum(self) -> None:
        offered = {"activate": parameters(target={"type": "string", "enum": ["pay"]}, why={"type": "string"})}
        self.assertEqual(spell(Intent("activate", "pay"), offered).arguments, {"target": "pay"})

    def test_the_contracts_own_name_wins(self) -> None:
        offered = {"activate": parameters(flow_id={"enum": ["pay"]}, mood={"enum": ["calm"]})}
        self.assertEqual(spell(Intent("activate", "pay"), offered).arguments, {"flow_id": "pay"})

    def test_a_tool_that_is_not_offered_is_called_all_the_same(self) -> None:
        call = spell(Intent("confirm", True), {})
        self.assertEqual((call.tool, call.arguments), ("resolve_tool_confirmation", {"confirmed": True}))

    def test_a_skill_of_blocks_is_started_by_its_first_block(self) -> None:
        for enum, target in (
            (["pay__ask", "pay__main"], "pay__main"),
            (["payee", "pay__ask", "pay__send"], "pay__ask"),
            (["pay", "pay__ask"], "pay"),
        ):
            offered = {"activate": parameters(flow_id={"enum": enum})}
            self.assertEqual(spell(Intent("activate", "pay"), offered).arguments, {"flow_id": target})

    def test_correct_tells_key_and_value_apart(self) -> None:
        offered = {"correct": parameters(new={"type": "string"}, field={"type": "string", "enum": ["pay.to"]})}
        intent = Intent("correct", {"entry": "pay.to", "value": "Bob"})
        self.assertEqual(spell(intent, offered).arguments, {"field": "pay.to", "new": "Bob"})

    def test_other_intents(self) -> None:
        offered = {
            "search_knowledge": parameters(text={"type": "string"}),
            "cannot_help": parameters(ours={"type": "boolean"}),
        }
        self.assertEqual(spell(Intent("search", "cards"), offered).arguments, {"text": "cards"})
        self.assertEqual(spell(Intent("cannot_help", False), offered).arguments, {"ours": False})
        self.assertEqual(spell(Intent("set", {"a": 1}), offered).arguments, {"a": 1})
        self.assertEqual(spell(Intent("listen"), offered).tool, "listen")

    def test_a_tool_of_a_shorter_name_plays_its_role(self) -> None:
        self.assertEqual(spell(Intent("cancel"), {"cancel": parameters()}).tool, "cancel")
        self.assertEqual(spell(Intent("cancel"), {"cancel": {}, "cancel_skill": {}}).tool, "cancel_skill")

    def test_a_call_is_taken_literally(self) -> None:
        call = spell(Intent("call", {"tool": "activate", "arguments": {"x": 1}}), {})
        self.assertEqual((call.tool, call.arguments), ("activate", {"x": 1}))

    def test_intents_are_read_from_the_wire(self) -> None:
        self.assertEqual(Intent.read("complete").kind, "complete")
        self.assertEqual(Intent.read({"confirm": False}).value, False)


if __name__ == "__main__":
    unittest.main()

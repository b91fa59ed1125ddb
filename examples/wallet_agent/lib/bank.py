"""A stand-in for the bank: each call takes a while, none leaves the process."""

import asyncio

from lib.wallet_book import WALLETS


class LineStream:
    """An open statement."""

    def __init__(self, account_id):
        self.account_id = account_id
        self.open = True

    async def read_all(self):
        await asyncio.sleep(3)
        return [{"account": self.account_id, "text": "Bakery", "amount": -4.2}]

    async def close(self):
        self.open = False


async def funds_of(account_id):
    await asyncio.sleep(0.2)
    return WALLETS[account_id]["funds"]


async def freeze(card_id):
    await asyncio.sleep(0.5)


async def pay_out(amount, day):
    await asyncio.sleep(1)
    return "T-204"


async def open_lines(account_id):
    await asyncio.sleep(0.1)
    return LineStream(account_id)

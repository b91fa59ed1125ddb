"""The wallets of this example, by account id."""

WALLETS = {
    "W-100": {"owner": "Ida", "funds": 1250.5},
    "W-200": {"owner": "Olav", "funds": 80.0},
}

CARDS = [
    {"id": "C-1", "label": "blue debit card"},
    {"id": "C-2", "label": "travel card"},
]

CURRENCY = "EUR"

"""The screen *Publications*: data sets, their budgets and the life of their releases; page and dialogs draw."""

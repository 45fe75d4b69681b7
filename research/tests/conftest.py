"""What these tests share with the product's: where the project is, and a ledger that is nobody's."""

from tests.conftest import nobodys_ledger, project_root

__all__ = ["nobodys_ledger", "project_root"]

"""The key of a holder and its self-signed certificate, which the plan pins; made by the library cryptography."""

from __future__ import annotations

import datetime as dt
import os
import ssl
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from dpviz.errors import InputError, StoreError
from dpviz.releases.paths import user_data_folder
from dpviz_research.joint.plan import JointPlan

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_YEARS = 10


def key_file(plan: JointPlan, holder: str) -> Path:
    """Where the key and certificate of this holder of this plan lie, readable by their owner only."""
    return user_data_folder() / "joint" / f"{plan.id}-{holder}.pem"


def make_certificate(plan: JointPlan, holder: str) -> bytes:
    """The certificate of this holder, DER; made with its key on the first call, the same afterwards."""
    from cryptography import x509
    from cryptography.hazmat.primitives import serialization as form
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    file = key_file(plan, holder)
    if not file.exists():
        key = Ed25519PrivateKey.generate()
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, f"dpviz joint {holder}")])
        begin = dt.datetime.now(dt.UTC) - dt.timedelta(days=1)
        certificate = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(begin)
            .not_valid_after(begin + dt.timedelta(days=365 * _YEARS))
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .sign(key, None)
        )
        secret = key.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())
        _write_secret_file(file, secret + certificate.public_bytes(form.Encoding.PEM))
    return ssl.PEM_cert_to_DER_cert(_certificate_text(file))


def own_key(plan: JointPlan, holder: str) -> Ed25519PrivateKey:
    """The key with which this holder signs."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    file = _checked_file(plan, holder)
    loaded = load_pem_private_key(_read_secret_file(file), password=None)
    if not isinstance(loaded, Ed25519PrivateKey):
        raise StoreError(f"{str(file)!r} holds another kind of key; restore it from a backup.")
    return loaded


def public_key_of(der: bytes) -> str:
    """The public key in a certificate, hexadecimal."""
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = x509.load_der_x509_certificate(der).public_key()
    except ValueError:
        raise InputError("a certificate in the plan is damaged; copy its line again.") from None
    if not isinstance(key, Ed25519PublicKey):
        raise InputError("a certificate in the plan was not made by make_certificate; make it with that.")
    return key.public_bytes_raw().hex()


def tls_context(plan: JointPlan, holder: str, *, as_server: bool) -> ssl.SSLContext:
    """TLS 1.3 that believes the certificates of the plan and nobody else, and shows the own one."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER if as_server else ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False  # certificates are compared with the plan, to the byte (circle.py)
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_verify_locations(cadata="".join(ssl.DER_cert_to_PEM_cert(one.der) for one in plan.holders))
    context.load_cert_chain(_checked_file(plan, holder))
    return context


def _checked_file(plan: JointPlan, holder: str) -> Path:
    file = key_file(plan, holder)
    if not file.is_file():
        raise InputError(
            f"this machine has no key of holder {holder!r} for this plan ({str(file)!r}); call make_certificate, "
            "or run where that was called."
        )
    der = ssl.PEM_cert_to_DER_cert(_certificate_text(file))
    if der != plan.holders[plan.place_of(holder)].der:
        raise InputError(
            f"the plan pins another certificate for {holder!r} than the one on this machine; send the line of "
            "this one to all others."
        )
    return file


def _certificate_text(file: Path) -> str:
    text = _read_secret_file(file).decode("ascii")
    start = text.find("-----BEGIN CERTIFICATE-----")
    if start < 0:
        raise StoreError(f"{str(file)!r} holds no certificate; remove it and call make_certificate again.")
    return text[start:]


def _read_secret_file(file: Path) -> bytes:
    """The content of a file that only its owner may read."""
    if os.name == "posix" and stat.S_IMODE(file.stat().st_mode) & 0o077:
        raise StoreError(f"others can read the key {str(file)!r}: chmod 600 it, and think about a new one.")
    return file.read_bytes()


def _write_secret_file(file: Path, content: bytes) -> None:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        out.write(content)

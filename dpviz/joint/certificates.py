"""The certificate of a holder: made of its signing key, so that who talks is who signs; the plan pins it."""

from __future__ import annotations

import datetime as dt
import ssl
from pathlib import Path
from tempfile import TemporaryDirectory

from dpviz.errors import InputError
from dpviz.joint.plan import JointPlan
from dpviz.releases.signing import own_key, own_key_file

_VALID = (dt.datetime(2020, 1, 1, tzinfo=dt.UTC), dt.datetime(2120, 1, 1, tzinfo=dt.UTC))


def make_certificate() -> bytes:
    """A certificate of this machine's signing key, signed by it, DER: the same bytes at every call.

    A signature of TLS 1.3 and one of a release begin with different words, so neither can stand for the other.
    """
    from cryptography import x509
    from cryptography.hazmat.primitives.serialization import Encoding

    key = own_key()
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, key.public_key().public_bytes_raw().hex())])
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(_VALID[0])
        .not_valid_after(_VALID[1])
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, None)
        .public_bytes(Encoding.DER)
    )


def tls_contexts(plan: JointPlan, holder: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """TLS 1.3 for listening and for connecting: it shows the own certificate and accepts those of the plan alone."""
    own = make_certificate()
    if own != plan.holders[plan.place_of(holder)].der:
        raise InputError(
            f"the plan pins another certificate for {holder!r} than the one of this machine. Run 'dpviz joint key' "
            f"here and send that copy to all holders, or run where {holder!r} has its key. Nothing was charged."
        )
    contexts = []
    with TemporaryDirectory() as folder:
        file = Path(folder) / "certificate.pem"
        file.write_text(ssl.DER_cert_to_PEM_cert(own), encoding="ascii")
        for protocol in (ssl.PROTOCOL_TLS_SERVER, ssl.PROTOCOL_TLS_CLIENT):
            context = ssl.SSLContext(protocol)
            context.minimum_version = ssl.TLSVersion.TLSv1_3
            context.check_hostname = False  # certificates are compared with the plan, to the byte (circle.py)
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(cadata="".join(ssl.DER_cert_to_PEM_cert(one.der) for one in plan.holders))
            context.load_cert_chain(file, own_key_file())
            contexts.append(context)
    return contexts[0], contexts[1]

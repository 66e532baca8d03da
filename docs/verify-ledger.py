"""Recomputes the digests of a journal: verify-ledger.py digests.json journal.csv [public key]

digests.json is the response of ledger.digests, journal.csv the CSV of ledger.export. With the
public key of the operator, every digest must be signed with it. It needs openssl for signatures.
"""
import base64, collections, hashlib, json, os, subprocess, sys, tempfile

response = json.load(open(sys.argv[1]))
digests, trusted = response["digests"], sys.argv[3] if len(sys.argv) > 3 else None
lines, previous, faults = collections.defaultdict(list), {}, []
for line in open(sys.argv[2], newline="").read().splitlines(keepends=True):
    if not line.startswith("position,"):
        lines[line.split(",")[1][:10], line.rstrip().split(",")[9]].append(line)

def is_signed(text, signature, key):
    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.join(folder, name) for name in ("text", "signature", "key")]
        for file, content in zip(files, (text, base64.b64decode(signature), base64.b64decode(key))):
            open(file, "wb").write(content)
        options = ["-rawin", "-in", files[0], "-sigfile", files[1], "-keyform", "DER", "-inkey", files[2]]
        return not subprocess.run(["openssl", "pkeyutl", "-verify", "-pubin", *options], stdout=-3, stderr=-3).returncode

for d in digests:
    day, own = d["day"], lines.pop((d["day"], d["currency"]), [])
    entries = hashlib.sha256("".join(own).encode()).hexdigest()
    parts = ["event-api journal digest 1", d["businessUnitId"], d["currency"], day, str(len(own)), entries, d["previousHash"] or "-"]
    text = "".join(part + "\n" for part in parts).encode()
    is_wrong = hashlib.sha256(text).hexdigest() != d["hash"] or previous.get(d["currency"], d["previousHash"]) != d["previousHash"]
    is_unsigned = (trusted or d["signature"]) and not (d["signature"] and is_signed(text, d["signature"], trusted or d["publicKey"]))
    previous[d["currency"]] = d["hash"]
    faults += [f"{day} {d['currency']}: {fault}" for fault, found in (("other entries", is_wrong), ("bad signature", is_unsigned)) if found]
closed = response["closedThrough"] or ""
faults += [f"{day} {currency}: no digest" for day, currency in sorted(lines) if digests and digests[0]["day"] <= day <= closed]
sys.exit("\n".join(faults) or print(f"{len(digests)} digests match"))

"""A homeserver for tests: `synapse.py FOLDER PORT [few|usual]`.

Prints "ready" when it answers. Ends, and ends the homeserver, when its standard input is closed: however a test ends, no
homeserver is left behind. With `few` it takes few messages, with `usual` as many as a homeserver
takes if nobody says anything else.
"""

import os
import signal
import subprocess
import sys
import time
import urllib.request

folder, port = os.path.abspath(sys.argv[1]), int(sys.argv[2])
limits = sys.argv[3] if len(sys.argv) > 3 else "none"
os.makedirs(folder, exist_ok=True)
plenty = "{per_second: 10000, burst_count: 10000}"
messages = {"none": plenty, "few": "{per_second: 1, burst_count: 3}", "usual": "{per_second: 0.2, burst_count: 10}"}
configuration = f"""
server_name: localhost
public_baseurl: http://127.0.0.1:{port}/
pid_file: {folder}/synapse.pid
listeners:
  - {{port: {port}, bind_addresses: ['127.0.0.1'], type: http, tls: false,
      resources: [{{names: [client], compress: false}}]}}
database: {{name: sqlite3, args: {{database: {folder}/homeserver.db}}}}
log_config: {folder}/log.yaml
media_store_path: {folder}/media
signing_key_path: {folder}/signing.key
registration_shared_secret: shared
macaroon_secret_key: macaroon
form_secret: form
enable_registration: true
enable_registration_without_verification: true
report_stats: false
trusted_key_servers: []
suppress_key_server_warning: true
federation_domain_whitelist: []
url_preview_enabled: false
presence: {{enabled: false}}
bcrypt_rounds: 4
max_upload_size: 50M
rc_message: {messages[limits]}
rc_registration: {plenty}
rc_login: {{address: {plenty}, account: {plenty}, failed_attempts: {plenty}}}
rc_joins: {{local: {plenty}, remote: {plenty}}}
rc_joins_per_room: {plenty}
rc_invites: {{per_room: {plenty}, per_user: {plenty}, per_issuer: {plenty}}}
rc_media_create: {plenty}
rc_room_creation: {plenty}
"""
log = f"""
version: 1
formatters: {{plain: {{format: '%(asctime)s %(levelname)s %(name)s %(message)s'}}}}
handlers: {{file: {{class: logging.FileHandler, formatter: plain, filename: {folder}/homeserver.log}}}}
root: {{level: INFO, handlers: [file]}}
disable_existing_loggers: false
"""
for name, text in [("homeserver.yaml", configuration), ("log.yaml", log)]:
    with open(os.path.join(folder, name), "w") as file:
        file.write(text)

command = [sys.executable, "-m", "synapse.app.homeserver", "-c", f"{folder}/homeserver.yaml"]
if not os.path.exists(f"{folder}/signing.key"):
    subprocess.run([*command, "--generate-keys"], check=True, stdout=subprocess.DEVNULL)
with open(f"{folder}/output.log", "ab") as output:
    homeserver = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output)


def answers():
    try:
        return urllib.request.urlopen(f"http://127.0.0.1:{port}/health").status == 200
    except OSError:
        return False


while not answers():
    if homeserver.poll() is not None:
        sys.exit(open(f"{folder}/output.log").read())
    time.sleep(0.05)
print("ready", flush=True)
sys.stdin.read()
# A crash, not a goodbye.
homeserver.send_signal(signal.SIGKILL)
homeserver.wait()

//! Encrypted connections to a real server, in every mode of libpq. Certificates are made by openssl,
//! on which Debian's packages of PostgreSQL depend.

use super::server::Server;
use firsthand::Settings;
use firsthand_store::{OnOtherSettings, StoredSettings, open};
use std::{path::Path, process::Command};

/// Makes an authority, another that nobody trusts, a certificate for localhost, one for a client, and
/// one that signs itself, in the data folder of the server and as its user.
const CERTIFICATES: &str = "
    key='-newkey rsa:2048 -nodes -days 3 -batch';
    openssl req -x509 $key -keyout ca.key -out ca.crt -subj /CN=authority;
    openssl req -x509 $key -keyout other.key -out other.crt -subj /CN=other;
    openssl req -x509 $key -keyout self.key -out self.crt -subj /CN=localhost
        -addext subjectAltName=DNS:localhost;
    openssl req $key -keyout server.key -out server.csr -subj /CN=localhost;
    openssl req $key -keyout client.key -out client.csr -subj /CN=postgres;
    echo subjectAltName=DNS:localhost > names;
    sign='-req -days 3 -CA ca.crt -CAkey ca.key -CAcreateserial';
    openssl x509 $sign -in server.csr -out server.crt -extfile names;
    openssl x509 $sign -in client.csr -out client.crt -extfile names;
    chmod 600 server.key self.key";

struct TlsServer {
    server: Server,
    port: String,
}

impl TlsServer {
    fn start() -> Self {
        let server = Server::start(&["fsync=off"]);
        let port = server.address.rsplit_once("port=").unwrap().1.to_owned();
        let tls = Self { server, port };
        tls.sql(&format!("COPY (SELECT 1) TO PROGRAM $${}$$", CERTIFICATES.replace('\n', " ")));
        for file in ["ca.crt", "other.crt", "self.crt", "client.crt", "client.key"] {
            let text = tls.sql(&format!("SELECT pg_read_file('{file}')"));
            std::fs::write(tls.server.folder.path().join(file), text).unwrap();
        }
        tls.sql("ALTER USER postgres PASSWORD 'secret'");
        tls.certificate("server");
        tls
    }

    /// The answer to a statement, over the socket.
    fn sql(&self, sql: &str) -> String {
        let done = Command::new("psql")
            .args(["--no-psqlrc", "--tuples-only", "--no-align", "--set", "ON_ERROR_STOP=1"])
            .args(["--dbname", &self.server.address, "--command", sql])
            .output()
            .unwrap();
        let (out, error) = (done.stdout, String::from_utf8_lossy(&done.stderr).into_owned());
        assert!(done.status.success(), "{sql}: {error}");
        String::from_utf8(out).unwrap().trim().to_owned()
    }

    /// Lets the server show this certificate.
    fn certificate(&self, name: &str) {
        self.sql(&format!("ALTER SYSTEM SET ssl_cert_file = '{name}.crt'"));
        self.sql(&format!("ALTER SYSTEM SET ssl_key_file = '{name}.key'"));
        self.sql("ALTER SYSTEM SET ssl_ca_file = 'ca.crt'");
        self.sql("ALTER SYSTEM SET ssl = on");
        self.reload();
    }

    /// Lets only those in who come so.
    fn admit(&self, line: &str) {
        let lines = format!("unnest(ARRAY['local all all trust', '{line}'])");
        self.sql(&format!("COPY (SELECT {lines}) TO PROGRAM 'cat > pg_hba.conf'"));
        self.reload();
    }

    fn reload(&self) {
        // A process of the server has read its settings when it answers; new ones read them anew.
        self.sql("SELECT pg_reload_conf(); SELECT pg_sleep(0.5)");
    }

    fn file(&self, name: &str) -> String {
        Path::new(self.server.folder.path()).join(name).display().to_string()
    }

    /// Whether the connection of a store at this address is encrypted; an error if there is none.
    fn encrypted(&self, host: &str, parameters: &str) -> Result<bool, String> {
        let parameters = match parameters.replace("@", &self.file("")) {
            some if some.is_empty() => some,
            some => format!("?{some}"),
        };
        let address =
            format!("postgres://postgres:secret@{host}:{}/postgres{parameters}", self.port);
        let settings = StoredSettings::new(&Settings::default()).unwrap();
        let store = open(&address, Some(&settings), OnOtherSettings::Refuse);
        let _open = store.map_err(|e| e.to_string())?;
        let sql = "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
                   WHERE application_name = 'firsthand'";
        Ok(self.sql(sql) == "t")
    }
}

#[test]
fn every_mode_encrypts_and_checks_what_it_says() {
    let server = TlsServer::start();
    for (host, parameters, expected) in [
        ("localhost", "", Ok(true)),
        ("localhost", "sslmode=disable", Ok(false)),
        ("localhost", "sslmode=allow", Ok(false)),
        ("localhost", "sslmode=prefer", Ok(true)),
        ("localhost", "sslmode=require", Ok(true)),
        ("127.0.0.1", "sslmode=require", Ok(true)),
        ("localhost", "sslmode=verify-full&sslrootcert=@ca.crt", Ok(true)),
        ("127.0.0.1", "sslmode=verify-ca&sslrootcert=@ca.crt", Ok(true)),
        ("127.0.0.1", "sslmode=verify-full&sslrootcert=@ca.crt", Err("127.0.0.1")),
        ("localhost", "sslmode=verify-full&sslrootcert=@other.crt", Err("UnknownIssuer")),
        ("localhost", "sslmode=verify-ca&sslrootcert=@other.crt", Err("UnknownIssuer")),
        ("localhost", "sslmode=require&sslrootcert=@other.crt", Err("UnknownIssuer")),
        ("localhost", "sslmode=verify-full&sslrootcert=@client.key", Err("no certificate")),
        ("localhost", "sslmode=require&sslcert=@client.crt", Err("sslkey")),
    ] {
        check(&server, host, parameters, expected);
    }

    server.admit("hostssl all all 127.0.0.1/32 scram-sha-256");
    check(&server, "127.0.0.1", "sslmode=allow", Ok(true));
    check(&server, "127.0.0.1", "sslmode=disable", Err("no encryption"));
    server.admit("hostnossl all all 127.0.0.1/32 scram-sha-256");
    check(&server, "127.0.0.1", "sslmode=prefer", Ok(false));
    check(&server, "127.0.0.1", "sslmode=require", Err("SSL encryption"));

    // A client may show who it is by a certificate.
    server.admit("hostssl all all 127.0.0.1/32 cert");
    let certificate = "sslmode=require&sslcert=@client.crt&sslkey=@client.key";
    check(&server, "127.0.0.1", certificate, Ok(true));
    check(&server, "127.0.0.1", "sslmode=require", Err("certificate"));

    // A certificate that signs itself is trusted where it is named.
    server.admit("hostssl all all 127.0.0.1/32 scram-sha-256");
    server.certificate("self");
    check(&server, "localhost", "sslmode=verify-full&sslrootcert=@self.crt", Ok(true));
    check(&server, "127.0.0.1", "sslmode=verify-ca&sslrootcert=@self.crt", Ok(true));
    check(&server, "127.0.0.1", "sslmode=verify-full&sslrootcert=@self.crt", Err("127.0.0.1"));
    check(&server, "localhost", "sslmode=verify-ca&sslrootcert=@ca.crt", Err("certificate"));

    // A server without TLS.
    server.sql("ALTER SYSTEM SET ssl = off");
    server.admit("host all all 127.0.0.1/32 scram-sha-256");
    check(&server, "localhost", "sslmode=prefer", Ok(false));
    check(&server, "localhost", "sslmode=require", Err("does not support TLS"));
}

fn check(server: &TlsServer, host: &str, parameters: &str, expected: Result<bool, &str>) {
    match (server.encrypted(host, parameters), expected) {
        (Ok(encrypted), Ok(expected)) => assert_eq!(encrypted, expected, "{host} {parameters}"),
        (Err(error), Err(word)) => {
            assert!(error.contains(word), "{host} {parameters}: {error}");
            assert!(!error.contains("secret"), "{error}");
        }
        (other, _) => panic!("{host} {parameters}: {other:?}"),
    }
}

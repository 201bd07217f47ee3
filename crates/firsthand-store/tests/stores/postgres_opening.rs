//! Opening a store in PostgreSQL: settings, versions, and everything that may be wrong with a server.

use super::server::{self, Server};
use firsthand::{
    Settings,
    online::{Changes, Entry, Store, StoreError},
};
use firsthand_store::{
    Fact, ManagedStore, NewText, OnOtherSettings, Postgres, StoredSettings, open,
};

fn settings(change: impl FnOnce(&mut Settings)) -> StoredSettings {
    let mut config = Settings::default();
    change(&mut config);
    StoredSettings::new(&config).unwrap()
}

fn add(store: &mut dyn ManagedStore) {
    let seq = store.begin().unwrap().next;
    let entry = Entry { seq, bucket: 1, time: 2, keys: vec![3, 4], payload: vec![5; 4000] };
    let values = vec![("name".to_owned(), vec![6])];
    store.commit(Changes { insert: vec![entry], values, ..Changes::default() }).unwrap();
}

fn refused(address: &str) -> String {
    match open(address, Some(&settings(|_| ())), OnOtherSettings::Refuse) {
        Ok(_) => panic!("{address} was opened"),
        Err(e) => e.to_string(),
    }
}

fn refused_without_settings(address: &str) -> String {
    match open(address, None, OnOtherSettings::NewGeneration) {
        Ok(_) => panic!("{address} was opened"),
        Err(e) => e.to_string(),
    }
}

#[test]
fn settings_are_kept_and_others_refused_or_begun_anew() {
    let address = server::fresh();
    let one = settings(|_| ());
    let other = settings(|config| config.threshold = "0.123".parse().unwrap());
    assert!(matches!(open(&address, None, OnOtherSettings::Refuse), Err(StoreError::Unfit(_))));
    let mut store = open(&address, Some(&one), OnOtherSettings::Refuse).unwrap();
    add(&mut *store);
    keep_text(&mut *store);
    let mut again = open(&address, None, OnOtherSettings::Refuse).unwrap();
    assert_eq!(again.settings().unwrap(), one);

    let Err(StoreError::Unfit(error)) = open(&address, Some(&other), OnOtherSettings::Refuse)
    else {
        panic!("other settings must be refused")
    };
    assert!(error.contains("threshold") && error.contains("0.123"), "{error}");

    let mut new = open(&address, Some(&other), OnOtherSettings::NewGeneration).unwrap();
    assert_eq!(new.begin().unwrap(), firsthand::online::Head { next: 1, ..Default::default() });
    assert_eq!(new.value("name").unwrap(), None);
    new.abandon();
    add(&mut *new);
    assert_eq!(new.scan(0, 9).unwrap().len(), 1);
    assert!(new.texts(false).unwrap().is_none(), "texts of the former generation");
    keep_text(&mut *new);
    // Who has the former generation open must not go on with it.
    let Err(StoreError::Unfit(error)) = store.begin() else { panic!("a former generation") };
    assert!(error.contains("new generation"), "{error}");

    let former = |store: &mut dyn ManagedStore| {
        let facts = store.info().unwrap();
        facts.into_iter().find(|(label, _)| label == "former generations").unwrap().1
    };
    assert_eq!(former(&mut *new), Fact::Count(1));
    new.compact().unwrap();
    assert_eq!(former(&mut *new), Fact::Count(0));
    assert_eq!(new.verify().unwrap().problems, Vec::<String>::new());
    let mut again = open(&address, Some(&one), OnOtherSettings::NewGeneration).unwrap();
    assert!(again.scan(0, 9).unwrap().is_empty());
    add(&mut *again);
}

#[test]
fn a_store_of_a_later_layout_is_refused() {
    let address = server::fresh();
    open(&address, Some(&settings(|_| ())), OnOtherSettings::Refuse).unwrap();
    server::client(&address).execute("UPDATE layout SET version = 1000", &[]).unwrap();
    let error = refused(&address);
    assert!(error.contains("layout 1000") && error.contains("a later version"), "{error}");
}

#[test]
fn a_store_of_an_older_layout_is_refused() {
    let address = server::fresh();
    open(&address, Some(&settings(|_| ())), OnOtherSettings::Refuse).unwrap();
    let older = |sql: &str, layout: &str| {
        server::client(&address).batch_execute(sql).unwrap();
        for error in [refused(&address), refused_without_settings(&address)] {
            for words in [
                layout,
                "an earlier version of firsthand wrote",
                "use the version that wrote it",
                "a new store in another schema (?schema=name)",
            ] {
                assert!(error.contains(words), "{words:?} in {error}");
            }
        }
    };
    older("UPDATE layout SET version = version - 1", "layout 6");
    // Layout 1 itself had another table for its version.
    older("DROP TABLE layout; CREATE TABLE migrations (version int4 PRIMARY KEY)", "layout 1");
}

#[test]
fn whatever_is_wrong_with_a_server_is_said_plainly() {
    let server = Server::start(&["fsync=off"]);
    let port = server.address.rsplit('=').next().unwrap();
    server::client(&server.address)
        .batch_execute("CREATE ROLE guest LOGIN PASSWORD 'sesame'")
        .unwrap();
    let says = |address: &str, words: &[&str]| {
        let error = refused(address);
        assert!(!error.contains("sesame"), "a password in {error}");
        for word in words {
            assert!(error.contains(word), "{word:?} in {error}");
        }
    };
    says(
        &format!("postgres://guest:sesame2@127.0.0.1:{port}/postgres"),
        &[&format!("postgres://guest@127.0.0.1:{port}/postgres"), "password", "PGPASSWORD"],
    );
    says(&format!("postgres://guest@127.0.0.1:{port}/postgres"), &["wants a password"]);
    says(
        &format!("postgres://guest:sesame@127.0.0.1:{port}/postgres"),
        &["permission", "GRANT CREATE"],
    );
    says(&format!("postgres://guest:sesame@127.0.0.1:{port}/nothing"), &["nothing", "createdb"]);
    says("postgres://guest:sesame2@127.0.0.1:1/postgres", &["cannot connect", "running"]);
    says("postgres:///postgres?host=/nowhere", &["cannot connect", "running"]);
    says("postgres://h/d?sslmode=maybe", &["sslmode", "verify-full"]);
    drop(server);
}

#[test]
fn a_role_without_the_right_to_make_schemas_may_use_one_that_is_its_own() {
    let address = server::fresh();
    let schema = address.rsplit('=').next().unwrap();
    server::client(&address)
        .batch_execute(&format!(
            "CREATE ROLE {schema} LOGIN; CREATE SCHEMA {schema} AUTHORIZATION {schema}"
        ))
        .unwrap();
    let own = address.replacen("postgres://postgres@", &format!("postgres://{schema}@"), 1);
    add(&mut Postgres::open(&own, Some(&settings(|_| ())), OnOtherSettings::Refuse).unwrap());
}

#[test]
fn damage_is_noticed() {
    let address = server::fresh();
    let mut store = open(&address, Some(&settings(|_| ())), OnOtherSettings::Refuse).unwrap();
    add(&mut *store);
    add(&mut *store);
    let mut harm = |sql: &str, words: &str| {
        let mut client = server::client(&address);
        assert_eq!(client.execute(sql, &[]).unwrap(), 1, "{sql}");
        let problems = store.verify().unwrap().problems;
        assert!(problems.iter().any(|problem| problem.contains(words)), "{sql}: {problems:?}");
    };
    harm("UPDATE postings SET key = key + 100 WHERE seq = 1 AND key = 3", "or some are damaged");
    harm("UPDATE postings SET seq = 9 WHERE seq = 1 AND key = 4", "lead to no document");
    harm("DELETE FROM postings WHERE seq = 9", "3 keys were found and 4 expected");
    harm("UPDATE documents SET payload = set_byte(payload, 77, 1) WHERE seq = 1", "number 1");
    harm("UPDATE named SET value = 'x'", "\"name\"");
    harm(
        "DELETE FROM documents WHERE seq = 2",
        "1 documents of 4000 bytes were found, and 2 of 8000",
    );
    store.begin().unwrap();
    assert!(matches!(store.load(&[1]), Err(StoreError::Damaged(_))));
    store.begin().unwrap();
    assert!(matches!(store.value("name"), Err(StoreError::Damaged(_))));
    store.abandon();
    assert!(matches!(store.scan(0, 9), Err(StoreError::Damaged(_))));
}

#[test]
fn an_index_that_lacks_a_key_is_noticed() {
    let address = server::fresh();
    let mut store = open(&address, Some(&settings(|_| ())), OnOtherSettings::Refuse).unwrap();
    add(&mut *store);
    let ready = |is_ready: bool| {
        let sql = "UPDATE pg_index SET indisready = $1 \
                   WHERE indexrelid = 'postings_1_key_seq_idx'::regclass";
        assert_eq!(server::client(&address).execute(sql, &[&is_ready]).unwrap(), 1);
    };
    ready(false);
    add(&mut *store);
    ready(true);
    let problems = store.verify().unwrap().problems;
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].contains("index of the table postings_1"), "{problems:?}");
}

#[test]
fn a_backup_is_restored_by_psql() {
    let address = server::fresh();
    let mut store = open(&address, Some(&settings(|_| ())), OnOtherSettings::Refuse).unwrap();
    for _ in 0..3 {
        add(&mut *store);
    }
    keep_text(&mut *store);
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("backup");
    store.backup(&to).unwrap();
    let error = store.backup(&to).unwrap_err().to_string();
    assert!(error.contains("not empty"), "{error}");

    let restored = server::fresh();
    let (server, schema) = restored.rsplit_once("schema=").unwrap();
    let server = server.trim_end_matches(['?', '&']);
    let done = std::process::Command::new("psql")
        .args(["--no-psqlrc", "--quiet", "--dbname", server, "--variable"])
        .arg(format!("schema={schema}"))
        .arg("--file")
        .arg(to.join("restore.sql"))
        .status()
        .expect("psql, which scripts/test installs");
    assert!(done.success());
    let mut restored = open(&restored, None, OnOtherSettings::Refuse).unwrap();
    assert_eq!(restored.settings().unwrap(), store.settings().unwrap());
    assert_eq!(restored.verify().unwrap(), store.verify().unwrap());
    assert_eq!(restored.begin().unwrap(), store.begin().unwrap());
    assert_eq!(restored.scan(0, 9).unwrap(), store.scan(0, 9).unwrap());
    store.abandon();
    add(&mut *restored);
    let texts = restored.texts(false).unwrap().unwrap();
    assert_eq!(texts.get("a").unwrap(), Some(b"kept".to_vec()));
}

/// Keeps a text of the first document.
fn keep_text(store: &mut dyn ManagedStore) {
    let first = store.scan(0, 1).unwrap().remove(0);
    let (bucket, seq, text) = (first.bucket, first.seq, &b"kept"[..]);
    store.texts(true).unwrap().unwrap().put(&[NewText { bucket, seq, id: "a", text }]).unwrap();
}

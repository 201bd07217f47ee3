//! `firsthand serve`: the service, from what was typed to the end.

use crate::ExitCode;
use crate::args::{LogFormat, ServeArgs};
use crate::console::Stdout;
use crate::session::Session;
use crate::settings;
use crate::terminal::Terminal;
use anyhow::{Context, Result, anyhow};
use firsthand_jobs::store::{StoreRequest, open};
use firsthand_server::{Content, Keys, Limits, ServerSettings, TlsFiles, run_until_cancelled};
use firsthand_store::OnOtherSettings;
use std::io::{self, Write};
use std::net::TcpListener;
use std::path::Path;

/// Keys that are not in a file.
const KEYS: &str = "FIRSTHAND_KEYS";

pub(crate) fn run(args: &ServeArgs, session: &Session) -> Result<ExitCode> {
    let mut terminal = Terminal::new(&args.run, session).without_progress();
    start_log(args);
    if args.log_format == LogFormat::Json {
        // Whoever reads the log reads JSON only.
        terminal = terminal.with_log(&args.run, firsthand_server::log);
    }
    let (limits, keys) = (limits(&args.limits)?, keys(args.keys.as_deref())?);
    let tls = args.tls_cert.clone().zip(args.tls_key.clone());
    let tls = tls.map(|(certificate, key)| TlsFiles { certificate, key });
    if keys.is_empty() && !args.listen.ip().is_loopback() {
        anyhow::bail!(
            "--listen {} could be reached by others: give keys with --keys FILE, or listen on 127.0.0.1",
            args.listen
        );
    }
    let listener = TcpListener::bind(args.listen)
        .with_context(|| format!("cannot listen on {}", args.listen))?;
    let address = listener.local_addr()?;
    let request = StoreRequest {
        address: args.store.address.clone(),
        layers: settings::stream_layers(&args.settings, &args.online)?,
        writable: true,
        on_other_settings: match args.online.new_generation {
            true => OnOtherSettings::NewGeneration,
            false => OnOtherSettings::Refuse,
        },
    };
    let store = open(request, &terminal)?;
    let scheme = if tls.is_some() { "https" } else { "http" };
    let hosts = args.host.clone();
    let content = Content::Store { store, keep_text: args.keep_text };
    let settings = ServerSettings { content, limits, keys, hosts, tls };
    run_until_cancelled(listener, settings, &session.cancel, || {
        writeln!(Stdout, "Listening on {scheme}://{address}")?;
        Stdout.flush()
    })?;
    Ok(ExitCode::SUCCESS)
}

fn limits(changed: &[String]) -> Result<Limits> {
    let mut limits = Limits::default();
    for change in changed {
        let (name, value) = change
            .split_once('=')
            .ok_or_else(|| anyhow!("--limit takes NAME=VALUE, such as lines=50000"))?;
        limits.set(name.trim(), value.trim()).map_err(|error| anyhow!("--limit: {error}"))?;
    }
    Ok(limits)
}

/// The keys of a file and of the environment.
pub(crate) fn keys(path: Option<&Path>) -> Result<Keys> {
    let mut keys = Keys::default();
    if let Some(path) = path {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read the keys in {}", path.display()))?;
        keys = Keys::parse(&text).with_context(|| path.display().to_string())?;
    }
    if let Ok(text) = std::env::var(KEYS) {
        keys.extend(Keys::parse(&text.replace(';', "\n")).context(KEYS)?);
    }
    Ok(keys)
}

/// The log goes to stderr; with --quiet, only what goes wrong.
fn start_log(args: &ServeArgs) {
    use tracing_subscriber::fmt::Subscriber;
    let level = match args.run.quiet {
        true => tracing_subscriber::filter::LevelFilter::WARN,
        false => tracing_subscriber::filter::LevelFilter::INFO,
    };
    let log = Subscriber::builder()
        .with_max_level(level)
        .with_ansi(false)
        .with_target(false)
        .with_writer(io::stderr);
    // It can fail only if there is one already.
    let _ = match args.log_format {
        LogFormat::Text => log.try_init(),
        LogFormat::Json => log.json().flatten_event(true).try_init(),
    };
}

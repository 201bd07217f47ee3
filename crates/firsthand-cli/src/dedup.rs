//! `firsthand dedup`: read, sign, match, group, write.

use crate::{args::DedupArgs, settings};
use anyhow::Result;
use firsthand::{Collection, Detector, Signed, group};
use std::io::{BufWriter, Write};
use std::process::ExitCode;
use std::time::Instant;

pub(crate) fn run(args: &DedupArgs) -> Result<ExitCode> {
    let settings = settings::resolve(&args.settings)?;
    let detector = Detector::new(settings.config)?;
    let t0 = Instant::now();
    let batches = firsthand_input::open(&args.inputs, &settings.reading)?;
    let signed = Signed::new(&detector, batches, |batch| {
        batch
            .documents(&settings.reading)
            .filter_map(|d| match d { Ok(d) => Some(d), Err(e) => { if !e.is_skip() { eprintln!("{e}"); } None } })
            .collect::<Vec<_>>()
    });
    let t1 = Instant::now();
    let collection = Collection::new(&detector, signed);
    let t2 = Instant::now();
    let (pairs, cost) = collection.matches(&detector);
    let t3 = Instant::now();
    let c = detector.config();
    let clusters = group(&collection, &pairs, c.grouping, c.original);
    let t4 = Instant::now();
    eprintln!("{} docs {} features {:?} templates, {} pairs {} clusters {cost:?}", collection.documents().len(), collection.features(), collection.templates().size(), pairs.count(), clusters.len());
    if let Some(dir) = &args.output.output {
        std::fs::create_dir_all(dir)?;
        let mut out = BufWriter::new(std::fs::File::create(dir.join("pairs.jsonl"))?);
        let d = collection.documents();
        for m in pairs.iter() {
            writeln!(out, "{{\"a\":{},\"b\":{},\"score\":{}}}", serde_json::to_string(&d[m.a].id)?, serde_json::to_string(&d[m.b].id)?, m.score)?;
        }
        out.flush()?;
    }
    eprintln!("sign {:?} prepare {:?} match {:?} group {:?} write {:?}", t1-t0, t2-t1, t3-t2, t4-t3, t4.elapsed());
    Ok(ExitCode::SUCCESS)
}

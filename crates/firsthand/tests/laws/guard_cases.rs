//! What the guard reports as a change, and what it does not: tables of cases by language.

use super::counterfactual::counterfactual;
use super::frames::framed;
use firsthand::guard::{FigureKind, Figures};

fn changed(before: &str, after: &str) -> Vec<(String, String, FigureKind)> {
    let (before, after) = (Figures::read(before), Figures::read(after));
    let again = Figures::from_bytes(&before.to_bytes()).unwrap();
    assert_eq!(again, before);
    let changes = again.changed(&after);
    changes.into_iter().map(|change| (change.before, change.after, change.kind)).collect()
}

fn none_changed(cases: impl Iterator<Item = (String, String)>) {
    let found = cases.map(|(a, b)| (changed(&a, &b), a, b));
    let wrong: Vec<_> = found.filter(|(found, ..)| !found.is_empty()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn other_values() {
    use FigureKind::{Count, Date, Measure, Percent, Price, Score};
    #[rustfmt::skip]
    let cases = [
        ("en", "17 people", "23 people", Count), ("en", "17 people", "twenty-three people", Count),
        ("en", "seventeen people", "nineteen people", Count), ("en", "1,200 people", "1,300 people", Count),
        ("en", "3 500 people", "3 600 people", Count), ("en", "3,500 people", "3 600 people", Count),
        ("en", "one person", "two people", Count), ("en", "5 million people", "6 million people", Count),
        ("en", "hundreds of people", "thousands of people", Count), ("en", "the third time", "the fourth time", Count),
        ("en", "$5m", "$6m", Price), ("en", "5 dollars", "6 dollars", Price), ("en", "$1.5 billion", "$1.6 billion", Price),
        ("en", "$5", "€5", Price), ("en", "£5.50", "£5.60", Price),
        ("en", "5 %", "6 %", Percent), ("en", "five percent", "six percent", Percent), ("en", "5 people", "5 %", Percent),
        ("en", "a 3-1 win", "a 3-2 win", Score), ("en", "3-1", "2-1", Score),
        ("en", "12 March 2014", "13 March 2014", Date), ("en", "March 12", "March 14", Date), ("en", "in 2014", "in 2015", Date),
        ("en", "March 2014", "April 2014", Date), ("en", "since January", "since February", Date),
        ("en", "12.5 C", "13.5 C", Measure), ("en", "5 km", "6 km", Measure), ("en", "5 km", "5 miles", Measure),
        ("en", "16-foot waves", "18-foot waves", Measure), ("en", "5 days", "6 days", Measure),
        ("en", "39 feet", "15 metres", Measure), ("en", "48 hours", "48 minutes", Measure), ("en", "-5 degrees", "5 degrees", Measure),
        ("en", "110 km/h", "120 km/h", Measure), ("en", "110 km/h", "110 mph", Measure),
        ("en", "110 kilometres per hour", "110 miles per hour", Measure), ("en", "5 kHz", "5 MHz", Measure),
        ("en", "5 m", "6 metres", Measure), ("en", "5 km", "5 km²", Measure), ("en", "5 kW", "5 kWh", Measure),
        ("en", "on Tuesday", "on Wednesday", Date), ("en", "Tuesday night", "Wednesday night", Date),
        ("en", "by Tuesday, March 12", "by Wednesday, March 13", Date), ("en", "Tuesday's vote", "Friday's vote", Date),
        ("de", "am Dienstag", "am Mittwoch", Date), ("de", "am Dienstagabend", "am Mittwochabend", Date),
        ("fr", "mardi", "mercredi", Date), ("es", "el martes", "el miércoles", Date),
        ("de", "17 Menschen", "23 Menschen", Count), ("de", "ein Toter", "zwei Tote", Count), ("fr", "un mort", "deux morts", Count), ("es", "un muerto", "dos muertos", Count),
        ("de", "siebzehn Menschen", "neunzehn Menschen", Count),
        ("de", "1.200 Menschen", "1.300 Menschen", Count), ("de", "2,5 Millionen Euro", "2,6 Millionen Euro", Price),
        ("de", "5 Prozent", "6 Prozent", Percent), ("de", "3:1", "3:2", Score), ("de", "12. März 2014", "13. März 2014", Date),
        ("de", "5 Grad", "6 Grad", Measure), ("de", "zwei Dutzend Menschen", "drei Dutzend Menschen", Count),
        ("fr", "17 personnes", "23 personnes", Count), ("fr", "dix-sept personnes", "dix-neuf personnes", Count),
        ("fr", "quatre-vingt-dix personnes", "quatre-vingts personnes", Count), ("fr", "1 200 euros", "1 300 euros", Price),
        ("fr", "5 pour cent", "6 pour cent", Percent), ("fr", "12 mars 2014", "13 mars 2014", Date), ("fr", "5 mètres", "6 mètres", Measure),
        ("es", "17 personas", "23 personas", Count), ("es", "veintiún personas", "veintidós personas", Count),
        ("es", "5 millones de dólares", "6 millones de dólares", Price), ("es", "5 por ciento", "6 por ciento", Percent),
        ("es", "12 de marzo", "13 de marzo", Date), ("es", "5 kilómetros", "6 kilómetros", Measure),
    ];
    let mut wrong = Vec::new();
    for (language, a, b, kind) in cases {
        let found = changed(&framed(language, a), &framed(language, b));
        let kinds: Vec<FigureKind> = found.iter().map(|(.., kind)| *kind).collect();
        if kinds != [kind] {
            wrong.push((language, a, b, kind, found));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Groups of three digits are one number; a year, or digits in a row, are no groups.
#[test]
fn neighbouring_numbers_are_not_joined() {
    for (before, after, expected) in [
        ("3 500 households", "3 600 households", ("3 500 households", "3 600 households")),
        ("in 2024 500 people", "in 2024 600 people", ("500 people", "600 people")),
        ("a 1 200 m race 300 times", "a 1200 m race 400 times", ("300 times", "400 times")),
        ("12 500-pound bombs", "14 500-pound bombs", ("12", "14")),
    ] {
        let found = changed(&framed("en", before), &framed("en", after));
        let found: Vec<_> = found.iter().map(|(a, b, _)| (a.as_str(), b.as_str())).collect();
        assert_eq!(found, [expected], "{before} and {after}");
    }
}

/// What counts nobody is a figure, too, where the other text counts people.
#[test]
fn nobody_is_a_number() {
    let text = |said: &str| {
        format!(
            "A storm hit the northern coast on Monday night, and {said} in the harbour, police said."
        )
    };
    for (before, after, expected) in [
        ("two dead were found", "no dead were found", Some(("two dead", "no dead"))),
        ("two people died", "nobody died", Some(("two people", "nobody died"))),
        ("two people died", "no one died", Some(("two people", "no one died"))),
        ("no deaths were counted", "17 deaths were counted", Some(("no deaths", "17 deaths"))),
        ("none of them died", "two of them died", Some(("none", "two"))),
        ("nobody died", "no-one died", None),
        ("no\n> one died", "no one died", None),
        ("no people died", "nobody died", None),
        ("zero people died", "no people died", None),
        ("several people died", "nobody died", None),
        // Not people: these are no figures.
        ("two trees fell", "no trees fell", None),
        ("the one-way street was shut", "no one-way street was shut", None),
    ] {
        let found = changed(&text(before), &text(after));
        let found: Vec<_> = found.iter().map(|(a, b, _)| (a.as_str(), b.as_str())).collect();
        assert_eq!(found, Vec::from_iter(expected), "{before} and {after}");
    }
}

#[test]
fn furniture_is_not_a_figure() {
    #[rustfmt::skip]
    let cases = [
        ("en", "Updated 5 minutes ago", "Updated 7 minutes ago"), ("en", "1,204 shares", "1,310 shares"),
        ("en", "23 comments", "31 comments"), ("en", "Comments (23)", "Comments (31)"), ("en", "4 min read", "5 min read"),
        ("en", "Published 12 March 2014", "Published 14 March 2014"), ("en", "Posted on March 12, 2014", "Posted on March 14, 2014"),
        ("en", "By John Smith | 12.03.2014 14:32", "By John Smith | 13.03.2014 15:30"), ("en", "© 2014 The Daily Paper", "© 2015 The Daily Paper"),
        ("en", "Copyright 2014 The Daily Paper", "Copyright 2015 The Daily Paper"), ("en", "Photo 3 of 12", "Photo 5 of 12"),
        ("en", "Page 2 of 5", "Page 3 of 6"), ("en", "Tel. +44 20 7946 0958", "Tel. +44 20 7946 0112"),
        ("en", "Call (555) 123-4567 now", "Call (555) 123-9999 now"), ("en", "ISBN 978-3-16-148410-0", "ISBN 978-3-16-148410-1"),
        ("en", "Version 2.1", "Version 2.2"), ("en", "3 hours ago", "5 hours ago"), ("en", "Wednesday, March 12, 2014", "Thursday, March 13, 2014"),
        ("en", "12 March 2014, 3 pm", "14 March 2014, 4 pm"), ("en", "Facebook 1,204 Tweet 23", "Facebook 1,310 Tweet 31"),
        ("en", "Tuesday", "Wednesday"), ("en", "Tuesday 14:32", "Wednesday 15:10"), ("en", "Published Tuesday", "Published Wednesday"),
        ("en", "By John Smith, Tuesday", "By John Smith, Wednesday"), ("en", "Weather for Tuesday", "Weather for Wednesday"),
        ("en", "Tuesday | 12 March 2014 | Last update 14:32", "Wednesday | 13 March 2014 | Last update 15:10"),
        ("en", "The Daily Paper - Tuesday 12 March 2014 - North Edition", "The Daily Paper - Wednesday 13 March 2014 - North Edition"),
        ("de", "Dienstag, 12. März 2014, 14:32 Uhr", "Mittwoch, 13. März 2014, 15:10 Uhr"),
        ("fr", "Mardi 12 mars 2014 à 14h32", "Mercredi 13 mars 2014 à 15h10"), ("es", "Martes 12 de marzo de 2014", "Miércoles 13 de marzo de 2014"),
        ("de", "23 Kommentare", "31 Kommentare"), ("de", "Aktualisiert vor 5 Minuten", "Aktualisiert vor 7 Minuten"),
        ("de", "Lesezeit: 4 Minuten", "Lesezeit: 5 Minuten"), ("de", "Stand: 12.03.2014, 14:32 Uhr", "Stand: 13.03.2014, 15:32 Uhr"),
        ("de", "Veröffentlicht am 12. März 2014", "Veröffentlicht am 13. März 2014"), ("de", "Von Anna Muster, 12. März 2014", "Von Anna Muster, 13. März 2014"),
        ("de", "Telefon 030 1234567", "Telefon 030 1234999"), ("de", "Bild 3 von 12", "Bild 4 von 12"), ("de", "Seite 2", "Seite 3"),
        ("fr", "23 commentaires", "31 commentaires"), ("fr", "Il y a 5 minutes", "Il y a 7 minutes"),
        ("fr", "Publié le 12 mars 2014 à 14h32", "Publié le 13 mars 2014 à 15h10"), ("fr", "1 204 partages", "1 310 partages"),
        ("fr", "Temps de lecture : 4 min", "Temps de lecture : 5 min"), ("fr", "Tél. 01 23 45 67 89", "Tél. 01 23 45 67 90"),
        ("es", "23 comentarios", "31 comentarios"), ("es", "Hace 5 minutos", "Hace 7 minutos"),
        ("es", "Publicado el 12 de marzo de 2014", "Publicado el 13 de marzo de 2014"), ("es", "4 min de lectura", "5 min de lectura"),
        ("es", "Página 2 de 5", "Página 3 de 5"),
    ];
    none_changed(cases.iter().map(|&(language, a, b)| {
        let body = framed(language, "17");
        let page = |line: &str| format!("{body}\n{line}\n{body}\n{line}\nMore\n");
        (page(a), page(b))
    }));
}

#[test]
fn times_of_day_are_not_figures() {
    #[rustfmt::skip]
    let cases = [
        ("en", "at 14:32", "at 15:10"), ("en", "at 3 pm", "at 4 pm"), ("en", "at 3 p.m.", "at 4:30 a.m."),
        ("en", "at 3 o'clock", "at 4 o'clock"), ("en", "at 1500 GMT", "at 1600 GMT"), ("en", "five minutes ago", "6 minutes ago"),
        ("de", "um 14 Uhr", "um 15 Uhr"), ("de", "um 14.30 Uhr", "um 15.10 Uhr"), ("fr", "à 15h30", "à 16h"), ("fr", "à 15 heures", "à 16 heures"),
        ("es", "a las 15:30", "a las 16:30"), ("es", "a las 15 horas", "a las 16 horas"),
    ];
    none_changed(cases.iter().map(|&(language, a, b)| (framed(language, a), framed(language, b))));
}

/// A report in each language, with figures of all kinds.
const REPORTS: [&str; 4] = [
    "Ferry sinks off the northern coast
At least 41 people have died and 17 are missing after a ferry sank off the northern coast on 12 March, the coast guard said on Thursday. The ship had 1,250 passengers on board, although it was built for no more than 900 of them.
The owner of the line had paid $3.5 million for the ship in 2009, and insurers put the damage at twenty percent more than that. Waves of 16 feet were reported by seven other ships that took part in the search.
In the evening the local team won 3-1 against the champions, but few of the fans had come to the stadium, and the club gave 50 dollars of each ticket to the families.",
    "Fähre vor der Nordküste gesunken
Mindestens 41 Menschen sind gestorben und siebzehn werden vermisst, nachdem am 12. März eine Fähre vor der Küste gesunken ist, wie die Behörden am Donnerstag sagten. Auf dem Schiff waren 1.250 Passagiere, obwohl es für nicht mehr als 900 von ihnen gebaut war.
Der Eigner hatte das Schiff für 3,5 Millionen Euro gekauft, und die Versicherung schätzte den Schaden auf 20 Prozent mehr als das. Von zwei Dutzend Schiffen, die bei der Suche halfen, wurden Wellen von 5 Metern gemeldet.
Am Abend gewann die Mannschaft der Stadt mit 3:1 gegen den Meister, doch nur 800 von den Anhängern waren in das Stadion gekommen, und der Verein gab den Familien 50 Euro von jeder Karte.",
    "Un ferry coule au large de la côte nord
Au moins 41 personnes sont mortes et dix-sept sont portées disparues depuis le naufrage du 12 mars au large de la côte, ont dit les autorités. Le navire avait 1 250 passagers à bord, alors qu'il était construit pour 900 personnes au plus.
La compagnie avait acheté le navire pour 3,5 millions d'euros en 2009, et les assureurs estiment les dégâts à 20 pour cent de plus. Des vagues de 5 mètres ont été vues par sept autres navires qui ont pris part aux recherches.
Le soir, l'équipe de la ville a gagné 3-1 contre les champions, mais seuls quatre mille des fidèles étaient venus dans le stade, et le club a donné 50 euros de chaque billet aux familles.",
    "Un transbordador se hunde frente a la costa norte
Al menos 41 personas han muerto y diecisiete siguen desaparecidas desde que el 12 de marzo se hundió un transbordador frente a la costa, dijeron las autoridades. El barco llevaba 1.250 pasajeros, aunque fue construido para no más de 900 de ellos.
La empresa había pagado 3,5 millones de euros por el barco en 2009, y los seguros calculan los daños en un 20 por ciento más que eso. Siete de los barcos que ayudaron en la búsqueda hablaron de olas de 5 metros.
Por la noche el equipo de la ciudad ganó 3-1 contra los campeones, pero solo ochocientos de los aficionados habían llegado al estadio, y el club dio 50 euros de cada entrada a las familias.",
];

#[test]
fn one_figure_of_a_report_in_each_language() {
    for report in REPORTS {
        for seed in 0..40 {
            let result = counterfactual(&[report], seed);
            assert_eq!((result.changed, result.caught), (1, 1), "{seed}: {:#?}", result.wrong);
            assert_eq!(result.false_updates, 0, "{seed}: {:#?}", result.wrong);
        }
    }
}

#[test]
fn reports_in_other_frames_and_orders() {
    let report = REPORTS[0];
    let mut parts: Vec<&str> = report.lines().collect();
    // The end of the report is missing, its parts have moved, and a sentence is new.
    parts.truncate(3);
    parts.rotate_left(1);
    let moved = format!(
        "Sports 5\nWeather 12 °C\nMost read\n{}\nThe mayor gave 8 interviews that day.",
        parts.join("\n")
    );
    assert_eq!(changed(report, &moved), []);
    let update = moved.replace("41 people", "43 people").replace("has 17", "has 19");
    let found = changed(report, &update);
    assert_eq!(found, [("41 people".into(), "43 people".into(), FigureKind::Count)]);
}

#[test]
fn each_change_is_named_once() {
    let report = "Seventeen people die in fire\nThe fire in the old town has killed 17 people, the mayor said, and of the 17 people who died in the old town nine were children.";
    let update = report.replace("17", "19").replace("Seventeen", "Nineteen");
    let found = changed(report, &update);
    let written: Vec<_> = found.iter().map(|(before, after, _)| (&**before, &**after)).collect();
    assert_eq!(written, [("Seventeen people", "Nineteen people"), ("17 people", "19 people")]);
}

#[test]
fn lists_in_another_order_and_figures_that_only_one_text_has() {
    #[rustfmt::skip]
    let cases = [
        ("They met on the island between 5 and 7 of them each day of the week.", "They met on the island between 7 and 5 of them each day of the week."),
        ("The storm killed 5 men and 7 women in the small town on the coast.", "The storm killed 7 women and 5 men in the small town on the coast."),
        ("The storm killed many in the small town on the coast, police said.", "The storm killed 17 in the small town on the coast, police said."),
        ("The storm killed 17 in the town. It was the worst of all storms there.", "It was the worst of all storms there. Some 40 houses have been rebuilt."),
        ("Police said that 17 had died in the storm on the coast in 1997.", "Police said that 17 had died in the storm on the coast in the 1990s."),
    ];
    none_changed(cases.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())));
}

#[test]
fn short_texts() {
    let found = changed("The fire killed 17 people.", "The fire killed 23 people.");
    assert_eq!(found, [("17 people".into(), "23 people".into(), FigureKind::Count)]);
    let found = changed("17 dead in fire", "23 dead in fire");
    assert_eq!(found, [("17 dead".into(), "23 dead".into(), FigureKind::Count)]);
    assert_eq!(changed("17", "23"), []);
    assert_eq!(changed("", ""), []);
    assert_eq!(changed("", "The fire killed 23 people."), []);
}

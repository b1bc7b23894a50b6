=== qui-01 | 2026-08-13 19:30 | feat/phrase-index
> #ask implement phrase postings in the index builder
< src/index/builder.rs:60
|pub fn add(&mut self, doc: DocId, tokens: &[Token]) {
|    let list = self.postings.entry(token.term).or_default();
|    ...
|}
~ src/index/builder.rs
-|    let list = self.postings.entry(token.term).or_default();
+|    let prev = self.postings.get(&tokens[i - 1].term);
+|    let list = self.postings.entry(token.term).or_default();
+|    list.push_pair(prev, doc, token.pos);
$ #err cargo check
!101
|error[E0502]: cannot borrow `self.postings` as mutable because it is also borrowed as immutable
|  --> src/index/builder.rs:71:20
|   |
|70 |     let prev = self.postings.get(&tokens[i - 1].term);
|   |                ------------- immutable borrow occurs here
|71 |     let list = self.postings.entry(token.term).or_default();
|   |                ^^^^^^^^^^^^^ mutable borrow occurs here
|72 |     list.push_pair(prev, doc, token.pos);
|   |                    ---- immutable borrow later used here
|error: could not compile `quill` (lib) due to 1 previous error
" We need only the last position of the previous term, which is Copy. Take that out first and the borrow ends.
~ #fix src/index/builder.rs
-|    let prev = self.postings.get(&tokens[i - 1].term);
+|    let prev_pos = self.postings.get(&tokens[i - 1].term).map(|p| p.last_pos);
$ cargo test -q index
|running 31 tests
|...............................
|test result: ok. 31 passed; 0 failed
= Phrase postings work. The E0502 went away by copying `last_pos` out before the mutable borrow; no clone of the list and no RefCell.

=== qui-02 | 2026-08-28 20:10 | fix/win-glob
> #ask a user says .quillignore does nothing on Windows
$ #ci gh run view 4471 --log-failed | tail -8
!1
|windows-latest  test ignore::skips_target_folder ... FAILED
|windows-latest  assertion `left == right` failed
|windows-latest    left: ["src\\main.rs", "target\\debug\\quill.exe"]
|windows-latest   right: ["src\\main.rs"]
" The patterns are written with / and the walker gives paths with \, so "target/**" never matches. Normalise once, where the walker hands out relative paths.
~ #fix src/walk/ignore.rs
-|    let rel = path.strip_prefix(root)?.to_string_lossy();
+|    // Patterns always use '/', also where the system does not.
+|    let rel = path.strip_prefix(root)?.to_slash_lossy();
$ gh run watch 4480 --exit-status | tail -1
|✓ main CI · 4480 (windows-latest, ubuntu-latest, macos-latest)
= The ignore patterns were compared with backslash paths. walk/ignore.rs turns them into forward slashes first (path-slash crate); the Windows job is green.

=== qui-03 | 2026-09-15 21:00 | perf/multi-needle
> #ask searching for many words at once is slow, can we do better than one regex per word?
$ #before cargo bench --bench needles -- --quick
|needles/regex_each/64   time:   [408.11 ms 412.36 ms 417.02 ms]
|needles/regex_set/64    time:   [188.40 ms 190.92 ms 193.77 ms]
" One automaton over all words would read the text once.
~ #edit src/search/matcher.rs
-|    let set: Vec<Regex> = words.iter().map(|w| Regex::new(&regex::escape(w))).collect::<Result<_, _>>()?;
+|    let automaton = AhoCorasick::builder().ascii_case_insensitive(true).match_kind(MatchKind::LeftmostLongest).build(words)?;
$ #after cargo bench --bench needles -- --quick
|needles/aho_corasick/64 time:   [95.20 ms 96.04 ms 97.11 ms]
|                        change: [-77.1% -76.7% -76.2%] (p = 0.00 < 0.05)
|                        Performance has improved.
= Matcher uses one Aho-Corasick automaton: 412 ms → 96 ms for 64 words on the Linux tree. Regex stays for queries that really are patterns. Memory is 2.1 MB for 64 words.

=== qui-04 | 2026-10-02 20:45 | fix/truncate-panic
> #ask crash report: quill panics when listing a folder with korean file names
$ #err cargo run -q -- ls ~/문서
!101
|thread 'main' panicked at src/ui/truncate.rs:14:21:
|byte index 17 is not a char boundary; it is inside '한' (bytes 15..18) of `2026년 상반기 한글 보고서.pdf`
|note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
< src/ui/truncate.rs
|pub fn ellipsize(text: &str, width: usize) -> String {
|    if text.len() <= width { return text.to_owned(); }
|    format!("{}…", &text[..width - 1])
|}
" Bytes are taken for columns. Cutting on a char boundary would stop the panic, but a Hangul syllable is two columns wide, so the table would still be crooked. unicode-width over grapheme clusters gives both.
~ #fix src/ui/truncate.rs
-|    format!("{}…", &text[..width - 1])
+|    let mut used = 0;
+|    let cut = text.graphemes(true).take_while(|g| { used += g.width(); used < width }).collect::<String>();
+|    format!("{cut}…")
$ cargo test -q truncate
|test result: ok. 8 passed; 0 failed
= ellipsize cut at a byte index; with Hangul names that falls inside a character and panics. It counts terminal columns over grapheme clusters now (unicode-segmentation, unicode-width), tests with Korean, emoji and combining marks.

=== qui-05 | 2026-10-19 18:20 | release/0.9
> #tls make static linux binaries for the release
$ #err cross build --release --target x86_64-unknown-linux-musl
!101
|   Compiling openssl-sys v0.9.109
|error: failed to run custom build command for `openssl-sys v0.9.109`
|  Could not find directory of OpenSSL installation, and this `-sys` crate cannot proceed without this knowledge.
|  $HOST = x86_64-unknown-linux-gnu
|  $TARGET = x86_64-unknown-linux-musl
$ cargo tree -i openssl-sys --depth 3
|openssl-sys v0.9.109
|└── native-tls v0.2.14
|    └── reqwest v0.12.12
" Only reqwest pulls it in, for the update check. Vendored OpenSSL would build for 4 minutes on each target and has to follow every CVE. rustls needs no C toolchain.
~ #fix Cargo.toml
-|reqwest = "0.12"
+|reqwest = { version = "0.12", default-features = false, features = ["rustls-tls-native-roots", "json"] }
$ cross build --release --target x86_64-unknown-linux-musl && ls -lh target/x86_64-unknown-linux-musl/release/quill
|    Finished `release` profile [optimized] target(s) in 1m 12s
|-rwxr-xr-x 1 dev dev 5.1M Oct 19 18:41 quill
= Static musl builds work after switching reqwest from native-tls to rustls. Chosen over vendored OpenSSL: no C code to cross-compile, no security updates of OpenSSL to follow, 1.3 MB smaller. It uses the system's root certificates, so company proxies keep working.

=== qui-06 | 2026-11-02 19:05 | feat/config
> #ask where should the config live? people complain about ~/.quillrc
< src/config.rs
|pub fn config_path() -> PathBuf {
|    home_dir().unwrap().join(".quillrc")
|}
~ #fix src/config.rs
-|    home_dir().unwrap().join(".quillrc")
+|    // $QUILL_CONFIG, then XDG, then the old place while it exists.
+|    env_path("QUILL_CONFIG").or_else(existing_legacy).unwrap_or_else(|| xdg_config().join("quill/config.toml"))
$ cargo test -q config
|test result: ok. 12 passed; 0 failed
= config.rs looks at $QUILL_CONFIG, then an existing ~/.quillrc, then ~/.config/quill/config.toml. The old file is still read and prints a hint once a week; it goes away in 1.0.

=== qui-07 | 2026-09-25 20:30 | main
> clippy is noisy after the toolchain update
$ cargo clippy --all-targets -- -D warnings
!101
|error: this `if` has identical blocks
|  --> src/query/parse.rs:120:23
|error: using `clone` on type `DocId` which implements the `Copy` trait
|  --> src/index/merge.rs:44:27
~ src/index/merge.rs
-|        out.push(doc.clone());
+|        out.push(doc);
$ cargo clippy --all-targets -- -D warnings
|    Finished `dev` profile [unoptimized + debuginfo] target(s) in 6.02s
= clippy is clean again, two findings fixed.

=== qui-08 | 2026-10-10 21:15 | feat/merge-segments
> background merge of segments
$ #err cargo check
!101
|error[E0502]: cannot borrow `segments` as mutable because it is also borrowed as immutable
|  --> src/index/merge.rs:88:9
|error[E0382]: use of moved value: `writer`
|  --> src/index/merge.rs:97:22
" Collect the ids to be merged first, then drain them.
~ src/index/merge.rs
-|        for s in segments.iter().filter(small) { segments.retain(|x| x.id != s.id); }
+|        let small: Vec<_> = segments.iter().filter(small).map(|s| s.id).collect();
+|        segments.retain(|x| !small.contains(&x.id));
$ cargo test -q merge
|test result: ok. 9 passed; 0 failed
= Segments below 8 MB are merged in the background, two at a time.

=== qui-09 | 2026-10-27 20:20 | main
> quill crashes with a stack overflow on a folder with a symlink to itself
$ cargo run -q -- index /tmp/loop
!134
|thread 'main' has overflowed its stack
|fatal runtime error: stack overflow
~ src/walk/walker.rs
-|        walk_dir(&entry.path(), out)?;
+|        if seen.insert(file_id(&entry)?) { walk_dir(&entry.path(), out)?; }
= The walker remembers device and inode of each folder, so a loop ends.
> on a Mac the tool shows every file twice
$ cargo run -q -- ls ~/src | sort | uniq -d | head -2
|src/Main.rs
" The volume ignores case; two spellings of one folder are given on the command line.
= Roots are made canonical before they are compared, so each file is listed once.
> the release binary is 9 MB, can it be smaller?
~ Cargo.toml
-|[profile.release]
+|[profile.release]
+|lto = "fat"
+|strip = true
$ ls -lh target/release/quill
|-rwxr-xr-x 1 dev dev 6.4M quill
= LTO and strip: 9.0 → 6.4 MB.
> clap derive or the builder api?
= Derive: shorter, and the help text stands beside the field. The builder only where flags are made at run time, which we do not do.

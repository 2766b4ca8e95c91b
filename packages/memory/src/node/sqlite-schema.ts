export const APPLICATION_ID = 0x64706d6d; // "dpmm"

/** The n-th brings a database from version n to n + 1. */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE documents (
     id INTEGER PRIMARY KEY,
     key TEXT NOT NULL UNIQUE,
     scope TEXT NOT NULL,
     kind TEXT NOT NULL,
     path TEXT NOT NULL,
     revision TEXT NOT NULL,
     hash TEXT NOT NULL,
     date TEXT,
     is_stale INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE chunks (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     document INTEGER NOT NULL REFERENCES documents,
     place INTEGER NOT NULL,
     first_line INTEGER NOT NULL,
     last_line INTEGER NOT NULL,
     header TEXT NOT NULL,
     text TEXT NOT NULL,
     from_others TEXT NOT NULL,
     terms TEXT NOT NULL,
     term_count INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX chunks_term_count ON chunks (term_count);
   CREATE INDEX chunks_document ON chunks (document, place);
   CREATE TABLE children (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     chunk INTEGER NOT NULL REFERENCES chunks,
     hash TEXT NOT NULL,
     text TEXT NOT NULL
   ) STRICT;
   CREATE INDEX children_chunk ON children (chunk);
   CREATE INDEX children_hash ON children (hash);
   CREATE TABLE vectors (
     model TEXT NOT NULL,
     hash TEXT NOT NULL,
     vector BLOB NOT NULL,
     PRIMARY KEY (model, hash)
   ) STRICT, WITHOUT ROWID;
   CREATE VIRTUAL TABLE words USING fts5 (
     terms, content = '', contentless_delete = 1,
     tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co M*'"
   );
   CREATE VIRTUAL TABLE word_counts USING fts5vocab ('words', 'row')`,
  // What a search by meaning keeps in memory, so that it need not read all vectors for it.
  `CREATE TABLE signs (
     model TEXT NOT NULL,
     child INTEGER NOT NULL,
     scope TEXT NOT NULL,
     signs BLOB NOT NULL,
     PRIMARY KEY (model, child)
   ) STRICT, WITHOUT ROWID`,
];

// SQLite, for those who keep something in a file of their own.
// What does not belong here: tables, error codes, and what is done about a failure.
export { type Database, openDatabase, type Row, type SqlValue, type Statement } from "./database.ts";
export { migrateDatabase } from "./migrate-database.ts";
export { type SqliteFailure, sqliteFailureOf } from "./sqlite-failure.ts";
export { createTransaction, type Durability, type Transaction } from "./transaction.ts";

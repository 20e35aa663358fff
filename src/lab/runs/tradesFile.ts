import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256, writeAtomically } from '../../core/disk/files.ts'
import { arrowStream, parquetBytes } from '../../platform/http/table.ts'
import { type TradeRow, tradeTable } from './tradeTable.ts'

/** Path of the file with the trades of a run. */
export const tradesPath = (dataFolder: string, runId: string): string =>
  join(dataFolder, 'lab', 'runs', `${runId}.parquet`)

/**
 * Writes the trades of a run and returns the hash of their bytes. Nobody reads them before the run
 * is done; a restarted run writes them again.
 */
export function writeTrades(
  dataFolder: string,
  runId: string,
  rows: readonly TradeRow[],
): { readonly sha256: string } {
  const bytes = parquetBytes(arrowStream(tradeTable(rows)))
  writeAtomically(tradesPath(dataFolder, runId), bytes)
  return { sha256: sha256(bytes) }
}

/**
 * Path of the encrypted file with all trades of a run, those of sealed sessions too. Its name has a
 * part of its key's hash: of two processes that compute a run, each has a file of its own.
 */
const wholeTradesPath = (dataFolder: string, runId: string, key: Buffer): string =>
  join(dataFolder, 'lab', 'runs', `${runId}-${sha256(key).slice(0, 8)}.sealed`)

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Writes all trades of a run encrypted, as Parquet, and returns the key, hex. Only the database of
 * the accounts stores the key, so that no file of the data folder shows a sealed trade.
 */
export function writeWholeTrades(
  dataFolder: string,
  runId: string,
  rows: readonly TradeRow[],
): { readonly key: string } {
  const [key, nonce] = [randomBytes(32), randomBytes(NONCE_BYTES)]
  const cipher = createCipheriv(CIPHER, key, nonce)
  const text = cipher.update(parquetBytes(arrowStream(tradeTable(rows))))
  const bytes = Buffer.concat([nonce, text, cipher.final(), cipher.getAuthTag()])
  writeAtomically(wholeTradesPath(dataFolder, runId, key), bytes)
  return { key: key.toString('hex') }
}

/** Decrypts all trades of a run to Parquet. Throws when the file is damaged or the key is another. */
export function readWholeTrades(dataFolder: string, runId: string, key: string): Uint8Array {
  const secret = Buffer.from(key, 'hex')
  const bytes = readFileSync(wholeTradesPath(dataFolder, runId, secret))
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(CIPHER, secret, nonce)
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
}

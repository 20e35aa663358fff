// Signed webhooks that were computed without this code.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readVectors } from './shared.ts'

const FILE = join(import.meta.dirname, '../vectors/alert_bodies.jsonl')
const SHARED_FILE = join(import.meta.dirname, '../../../shared/vectors/alert_bodies.jsonl')

export type SignedVector = {
  readonly secret: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Every kind of event, whole. */
export const SIGNED_BODIES: readonly SignedVector[] = readFileSync(FILE, 'utf8')
  .trimEnd()
  .split('\n')
  .map(line => JSON.parse(line))

/** Timestamp, body and hexadecimal signature, of one secret. */
export const SIGNATURES: {
  readonly secret: string
  readonly signatures: readonly (readonly [timestamp: number, body: string, hex: string])[]
  readonly v0: readonly (readonly [body: string, hex: string])[]
} = readVectors('webhook_signatures')

/** The file as its maker has it now; null where that is not at hand. */
export const sharedBodies = (): string | null =>
  existsSync(SHARED_FILE) ? readFileSync(SHARED_FILE, 'utf8') : null

export const ownBodies = (): string => readFileSync(FILE, 'utf8')

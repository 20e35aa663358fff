import { readFileSync, rmSync, writeFileSync } from 'node:fs'

type Damage = (bytes: Buffer) => Buffer | null

const flipped = (bytes: Buffer, at: number) => bytes.fill(bytes[at]! ^ 1, at, at + 1)

/** Damage that can happen to a file on a disk, and the message of `verify`. */
export const DAMAGES: [string, Damage, string][] = [
  ['a flipped bit', bytes => flipped(bytes, bytes.length >> 1), 'does not match its hash'],
  ['a truncated file', bytes => bytes.subarray(0, bytes.length / 2), 'bytes, not '],
  ['a missing file', () => null, 'is missing'],
]

/** Runs `use` while a file is damaged, or gone where the damage is null. */
export async function whileDamaged(path: string, damage: Damage, use: () => Promise<void>) {
  const stored = readFileSync(path)
  const damaged = damage(Buffer.from(stored))
  rmSync(path)
  if (damaged) writeFileSync(path, damaged)
  try {
    await use()
  } finally {
    writeFileSync(path, stored)
  }
}

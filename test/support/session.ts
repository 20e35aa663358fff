import type { PublishedManifest } from '../../src/data/published/manifest.ts'

/** Every published file of a session with its hash. */
export const listHashes = ({ datasets, ledger }: PublishedManifest): string[] =>
  [...Object.entries(datasets), ...Object.entries(ledger)].map(
    ([name, { sha256 }]) => `${name} ${sha256}`,
  )

// `npm run contract`: writes the contract of the published datasets from the dictionary.

import { existsSync, writeFileSync } from 'node:fs'
import {
  findBroken,
  listPromises,
  makeOdcs,
  makePackage,
  ODCS_FILE,
  PACKAGE_FILE,
  PROMISED_FILE,
  readPromised,
} from './contract.ts'
import { makeSignVectors, SIGNS_FILE, writeSignVectors } from './signVectors.ts'

const promised = existsSync(PROMISED_FILE) ? readPromised() : []
const broken = findBroken(promised)
if (broken.length > 0) {
  process.stderr.write(`columns that a release has promised change:\n${broken.join('\n')}\n`)
  process.exit(1)
}
writeFileSync(ODCS_FILE, makeOdcs())
writeFileSync(PACKAGE_FILE, makePackage())
writeFileSync(PROMISED_FILE, `${listPromises().join('\n')}\n`)
writeFileSync(SIGNS_FILE, writeSignVectors(await makeSignVectors()))
process.stdout.write(`wrote ${ODCS_FILE}, ${PACKAGE_FILE}, ${PROMISED_FILE} and ${SIGNS_FILE}\n`)

// Loaded before a command (`node --import`): lets it meet a fault at a call to its data folder,
// and reports on descriptor 3 how many calls there were. FAULT is the folder, the kind and the
// call.

import { writeSync } from 'node:fs'
import { type Fault, installFaults } from './faultyDisk.ts'

const [folder, kind, at] = process.env.FAULT!.split('|') as [string, Fault['kind'] | '', string]
const disk = installFaults(folder, kind === '' ? null : { at: Number(at), kind })
process.on('exit', () => writeSync(3, String(disk.calls())))

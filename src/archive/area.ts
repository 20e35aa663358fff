import type { RequestHandler } from 'express'
import type { Area, AreaDeps, OpenArea } from '../accounts/area.ts'
import { PRODUCTS } from '../accounts/products.ts'
import type { AccountStore } from '../accounts/types.ts'
import { publishedFolder } from '../data/published/manifest.ts'
import { clientAddress } from '../platform/http/addresses.ts'
import { type AddressLimit, limitByAddress } from '../platform/http/addressLimit.ts'
import { orDamaged } from '../platform/http/damaged.ts'
import { requestContext, useErrors } from '../platform/http/request.ts'
import type { RequestScheduler } from '../platform/pool/requestScheduler.ts'
import type { ArchiveAsk } from './ask.ts'
import { DATASET_ERRORS } from './errors.ts'
import { openArchive } from './finished.ts'
import { openOlder } from './older.ts'
import { openArchiveAsk } from './openAsk.ts'
import { archivePaths } from './openapi.ts'
import { archiveRoutes } from './routes.ts'
import { SAMPLE_MINUTE_CALLS, SAMPLE_PATH, sampleFiles } from './sample.ts'
import { snapshotFiles } from './snapshotRoutes.ts'
import { openProof, openSnapshots } from './snapshots.ts'

/** Maximum calls without a key per address and minute. */
export const ADDRESS_MINUTE_CALLS = 60

type OwnAsks = { readonly archive: ArchiveAsk }

/** Finished sessions: as JSON for everybody, and as files for accounts with a DATASET plan. */
export const ARCHIVE_AREA: Area<RequestScheduler, AccountStore, unknown, OwnAsks> = {
  name: 'archive',
  product: 'dataset',
  // LAB keys open it too, until keys of its own are issued
  apiProduct: { name: 'dataset', errors: DATASET_ERRORS, otherScopes: ['lab'], limits: [] },
  tag: { name: 'Archive', description: 'Finished sessions: JSON without a key, files with one.' },
  paths: archivePaths,
  methods: {},
  tables: [],
  open: openArchiveArea,
}

function openArchiveArea(deps: AreaDeps<RequestScheduler>): OpenArea<OwnAsks> {
  const { dataFolder, catalog, nowMs, elapsedMs, sharesPrints, publishGraceMs } = deps
  const older = openOlder(dataFolder)
  const archive = openArchive({ catalog, older, nowMs, publishGraceMs })
  const snapshots = openSnapshots({
    dataFolder,
    finished: archive.finished,
    sharesPrints,
    publishGraceMs,
  })
  const folder = publishedFolder(dataFolder)
  const proof = openProof(folder)
  const files = snapshotFiles({
    snapshots,
    path: '/snapshots',
    folder,
    audience: 'private',
    prove: found => orDamaged(catalog, () => proof(found)),
  })
  return {
    publicRoutes: {
      ...archiveRoutes(
        archive,
        limited({ ...ofMinute(ADDRESS_MINUTE_CALLS), elapsedMs, readAddress: clientAddress }),
      ),
      [SAMPLE_PATH]: [
        useErrors(DATASET_ERRORS),
        limited({ ...ofMinute(SAMPLE_MINUTE_CALLS), elapsedMs, readAddress: clientAddress }),
        sampleFiles(dataFolder),
      ],
    },
    routes: {
      '/snapshots': [
        limited({
          ...ofMinute(PRODUCTS.dataset.limits.minuteCallsPerKey),
          elapsedMs,
          readAddress: req => requestContext(req.res!).keyId!,
          refusal: 'too many calls of dataset files came with this key',
        }),
        files,
      ],
    },
    account: { firstCallPath: '/snapshots/index.json' },
    asks: { archive: openArchiveAsk({ archive, older, catalog }) },
    close: older.close,
  }
}

/** Allows this many calls in a burst, and as many per minute. */
const ofMinute = (calls: number) => ({ atOnce: calls, perSecond: calls / 60 })

/** Refuses calls above the limit. */
function limited(limit: AddressLimit): RequestHandler {
  const limitRequests = limitByAddress(limit)
  return (req, _res, next) => next(limitRequests(req) ?? undefined)
}

// Which tests run when. `npm test` runs the slices `unit`, `sql` and `process`; `npm run test:deep`
// runs `slow`. vitest.config.ts makes a project of each; a test file is in exactly one.

/** Tests that start a process, PostgreSQL or a server of the API. */
const PROCESS = [
  'accounts/outbox/!(body|lives.generated)',
  'accounts/{alertSettings,backup,locked,migration,open,signIns,store,transfer,uses}',
  'alerts/{events,refusals,routes}',
  'archive/{access,ranges,refusals,session,snapshots}',
  'app/{areas,background,cli,config,docs,keyless,log,main}',
  'disk/{lock,work}',
  'geo/{routes,errors,news,page}',
  'http/!(descriptors|generated)',
  'jobs/queue',
  'lab/{routes,runs.conveyor,runs.store,runs.workers,store,turns}',
  'lab/page/{browser,chat,drawn,drawnNow,structs,tests}',
  'lab/runs/{kills,pool,refusals,runs}',
  'levels/{answers,clients,errors,limits,moments,page}',
  'mcp/{calls,lab,walk,wire}',
  'orders/{evidence,routes}',
  'outbox/{kills,shared}',
  'pipelines/command/{alert,levels,orders,status,webhook,webhookAccount}',
  'pipelines/watch/{kills,path,watch}',
  'positions/{alone,checks,clocks,hooks,levels,operations,outcomes,refusals,routes,warm}',
  'published/collect',
  'readme',
  'site/{account,accountAlerts,accountDelivery,accountPreview,accountWebhook}',
  'site/{browser,contacts,contactsBrowser,mailCode,signIn}',
  'site/{largeLedger,pages,running,scrubber,sessions,share,textFaults,today}',
  'status/{health,routes}',
  'webhooks/{client,resolver,verify}',
]

/** Deep tests: whole sessions, kills and faults, long generated runs, real tapes, measuring. */
const SLOW = [
  // kills, broken disks and readers beside writers, of which `npm run chaos` tries all
  'pipelines/import/{import.faults,import.reach,workspace}',
  'pipelines/live/{kills,live.faults,live.readers}',
  'pipelines/upkeep/{backfill.workers,newDatasets,newFutures,repair}',
  'accounts/kill',
  'app/faults',
  'outbox/manyKills',
  'positions/damage',
  'pipelines/watch/{manyKills,manySessions}',
  'published/{addDatasets,liveManifest,publish}.faults',
  // whole sessions, built by night and minute by minute
  'pipelines/build/{closures,day,determinism,folders,late,pointInTime,setApart}',
  'pipelines/build/{steps,strikes,symbols}',
  'pipelines/live/{alarms,feed,foldBefore,minute,settlement,silentMinutes}',
  'pipelines/simulate/replay',
  'pipelines/upkeep/{schedule,backfill}.process',
  'levels/session',
  'positions/{leak,pointInTime}',
  'sql/book/look_ahead',
  'sql/fold/silent_codes',
  // every page at several widths
  'site/everyPage',
  // many processes, and several machines at one account database
  'app/{cli.pipelines,deploy,readOnly,replicas,stop}',
  'http/descriptors',
  'alerts/shared',
  'positions/shared',
  // generated tapes, mixtures, instants, requests and lives of deliveries
  'lab/language/{cost,fuzz}.deep',
  'lab/runs/manyKills',
  'lab/{chains,lean,leanTrades,oracle.deep,otherTapes}',
  'lab/market/readMarket.faults',
  'mcp/{kept,manyCalls,stdio}',
  'lab/statistics/sizes',
  'lab/verdict/null',
  'accounts/outbox/lives.generated',
  'http/generated',
  'pipelines/build/{anyTape.generated,symbolMixtures}',
  'alerts/generated',
  'positions/{checks.generated,generated}',
  'sql/fold/any_tape.generated',
  'sql/macros/instants.generated',
  // tapes of other makers, and real ones
  'pipelines/build/{otherTape,realTapes}',
  'sql/fold/{found_tapes,spx_excerpt,vix_tape}',
  // how right and how fast the product is
  'pipelines/command/positions',
  'pipelines/measure/{accuracy,accuracyRecord,accuracySides,bench,labTruth,sideFit}',
  'pipelines/measure/bench/{lab,live}',
]

const globs = (names: readonly string[]) => names.map(name => `test/${name}.test.ts`)

export type Slice = {
  readonly name: string
  readonly include: readonly string[]
  readonly exclude: readonly string[]
}

export const SLICES: readonly Slice[] = [
  {
    name: 'unit',
    include: ['test/**/*.test.ts'],
    exclude: ['test/sql/**', ...globs(PROCESS), ...globs(SLOW)],
  },
  { name: 'sql', include: ['test/sql/**/*.test.ts'], exclude: globs(SLOW) },
  { name: 'process', include: globs(PROCESS), exclude: [] },
  { name: 'slow', include: globs(SLOW), exclude: [] },
]

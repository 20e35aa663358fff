/**
 * Additions to each interface with their dates, and planned removals. Within a version fields are
 * only added. The OpenAPI file takes its dates from here; docs/changelog.md is compared with it.
 */

import { addDays, midnightMs } from '../../core/market/calendar.ts'

export type Addition = {
  /** Day from which it is available, YYYY-MM-DD. */
  readonly date: string
  readonly interface:
    | 'Orders API'
    | 'Positions API'
    | 'Alerts'
    | 'Levels API'
    | 'LAB API'
    | 'Archive'
    | 'Dataset files'
    | 'MCP'
    | 'Status'
    | 'Geo API'
    | 'Site'
    | 'Commands'
    | 'Imports'
    | 'Calendar'
    | 'Clients'
  readonly what: string
  /** Operations it adds, named as in the OpenAPI file. */
  readonly operations?: readonly string[]
}

/** Parts that will go. */
export type DeprecatedPart = 'signature_v0' | 'put_support' | 'instants_without_zone'

export type Deprecation = {
  readonly part: DeprecatedPart
  /** Day from which it should no longer be used; null when none was announced. */
  readonly date: string | null
  readonly interface: 'Alerts webhook' | 'Positions webhook' | 'Dataset files'
  readonly what: string
  /** Replacement. */
  readonly instead: string
  /** Last day in New York on which it is still sent. */
  readonly lastDay: string
}

/** Oldest first. */
export const ADDITIONS = [
  {
    date: '2026-09-24',
    interface: 'Orders API',
    what: 'the ledgers: `day`, `latest` and `sessions`',
    operations: ['readDay', 'readLatest', 'readSessions'],
  },
  {
    date: '2026-10-04',
    interface: 'Positions API',
    what: 'positions: list and change them, and check them at a minute',
    operations: ['readPositions', 'changePositions', 'readChecks'],
  },
  {
    date: '2026-10-05',
    interface: 'Positions API',
    what: '`track` and `entries`',
    operations: ['readTrack', 'readEntries'],
  },
  {
    date: '2026-11-21',
    interface: 'Orders API',
    what: '`asof` of `day`: the ledger as it was known at a minute',
  },
  {
    date: '2026-11-21',
    interface: 'Orders API',
    what: '`p` of an order: the probability that the customer bought it',
  },
  {
    date: '2026-11-21',
    interface: 'Orders API',
    what: '`tape` of a ledger: the grade and its reasons; for tables the header `X-Tape-Grade`',
  },
  {
    date: '2026-11-21',
    interface: 'Status',
    what: '`/status`, `/status.json` and `/health`: how old the data are',
    operations: ['readStatus', 'readHealth'],
  },
  {
    date: '2026-11-25',
    interface: 'Orders API',
    what: '`sign_null`, `rule` and `prints` of an order; a `note` on the ledger of a bad tape',
  },
  {
    date: '2026-11-25',
    interface: 'Orders API',
    what: '`tape.gaps` of a ledger; for tables the header `X-Tape-Gaps`',
  },
  {
    date: '2026-11-25',
    interface: 'Positions API',
    what: '`levels` of a check: how far the flip, its error bar and the walls are',
  },
  {
    date: '2026-11-25',
    interface: 'Positions API',
    what:
      'errors 415 `unsupported_media_type` and 422 `idempotency_key_reused`; ' +
      'the header `Idempotency-Replayed`',
  },
  {
    date: '2026-11-25',
    interface: 'Status',
    what: 'metrics for Prometheus, at a port of their own',
  },
  {
    date: '2026-11-26',
    interface: 'Archive',
    what: '`/api/days`, `/api/session/{day}` and its `/gamma`: finished sessions without a key',
    operations: ['readArchiveDays', 'readArchiveSession', 'readArchiveGamma'],
  },
  {
    date: '2026-11-26',
    interface: 'Dataset files',
    what: '`/snapshots/{file}`: the Parquet files of finished sessions, their index and checksums',
    operations: ['readSnapshot'],
  },
  {
    date: '2026-11-26',
    interface: 'Levels API',
    what:
      '`levels`, `gamma`, `history`, `symbols`, `expected_move`, `levels.txt`, `bookmap.csv` ' +
      'and `key`',
    operations: [
      'readLevels',
      'readGamma',
      'readHistory',
      'readSymbols',
      'readExpectedMove',
      'readLevelsText',
      'readBookmapNotes',
      'readKey',
    ],
  },
  {
    date: '2026-11-26',
    interface: 'Site',
    what: 'pages for people: methodology, accuracy, plans, a glossary; errors as pages in browsers',
  },
  {
    date: '2026-11-26',
    interface: 'Site',
    what: '`/account`, to sign in to: keys, usage, positions, signed-in browsers',
  },
  {
    date: '2026-11-26',
    interface: 'Site',
    what: '`/sessions`: finished sessions by minute, their orders, evidence and tapes, as pages',
  },
  {
    date: '2026-11-26',
    interface: 'Site',
    what: 'pictures of sessions and orders, where their addresses are shared; 401 or 403 for today',
  },
  {
    date: '2026-11-26',
    interface: 'Archive',
    what: '`/api/session/{day}/strikes`: gamma of each strike, also of a half hour alone',
    operations: ['readArchiveStrikes'],
  },
  {
    date: '2026-11-26',
    interface: 'Status',
    what: 'the page `/status` no longer reloads itself: reload it, or read `/status.json`',
  },
  {
    date: '2026-11-26',
    interface: 'Alerts',
    what: '`/api/alerts`: the list of events of levels, lines and order rules of an account',
    operations: ['readAlerts', 'changeAlerts'],
  },
  {
    date: '2026-11-26',
    interface: 'Site',
    what: '`/account`: contacts, which are told by mail and Telegram; codes to sign in by mail',
  },
  {
    date: '2026-11-26',
    interface: 'LAB API',
    what: '`chat`, `thread`, `state` and `vocabulary`: ideas in plain words, as exact rules',
    operations: ['changeIdea', 'readLabThread', 'readLabState', 'readLabVocabulary'],
  },
  {
    date: '2026-11-26',
    interface: 'Alerts',
    what:
      '`/api/alerts/events` and `/deliveries`: what an account was told, and every try; the ops ' +
      '`test` and `redeliver`; the bodies of webhooks in the OpenAPI file',
    operations: ['readAlertEvents', 'readAlertDeliveries'],
  },
  {
    date: '2026-11-26',
    interface: 'Positions API',
    what: '`alert.state` of a position: whether its webhook is on',
  },
  {
    date: '2026-11-26',
    interface: 'Site',
    what: '`/account`: webhook, deliveries, alerts, lines and order rules',
  },
  {
    date: '2026-11-26',
    interface: 'MCP',
    what:
      '`/orders/mcp` and `tapefold mcp orders`: eight tools for assistants; `/mcp` and ' +
      '`tapefold mcp lab`: seven for ideas; the revisions from 2024-11-05 to 2026-07-28',
  },
  {
    date: '2026-11-26',
    interface: 'LAB API',
    what:
      '`run`, `idea`, `result` and `trades`: ideas are tested, for a credit each; ' +
      '`/api/struct/run` and `/job`; `results` and `job` of `state`; the header `Idempotency-Key`',
    operations: [
      'changeLabRun',
      'changeLabIdea',
      'readLabResult',
      'readLabTrades',
      'changeStructRun',
      'readStructJob',
    ],
  },
  {
    date: '2026-11-26',
    interface: 'Geo API',
    what:
      '`items`, `weeks`, `countries`, `health`; with a key `v1/items`, `v1/sources`, `v1/usage` ' +
      'and `v1/export.csv`: what was reported in the world, by country and week',
    operations: [
      'readGeoItems',
      'readGeoWeeks',
      'readGeoCountries',
      'readGeoHealth',
      'readGeoItemsOfAnyDay',
      'readGeoSources',
      'readGeoUsage',
      'readGeoExport',
    ],
  },
  {
    date: '2026-11-26',
    interface: 'Alerts',
    what: '`idea_triggered` and `idea_closed`: what ideas on the desk of LAB did on paper',
  },
  {
    date: '2026-11-26',
    interface: 'Site',
    what:
      '`/account/lab`: what an idea of the desk draws of the newest session; the session of each ' +
      'trade of a test; rules computed alone',
  },
  {
    date: '2026-11-26',
    interface: 'LAB API',
    what:
      '`passed_over` of a result: published sessions of another kind or symbol; what is asked at ' +
      '.30 or less and not bid sells for nothing',
  },
  {
    date: '2026-11-26',
    interface: 'LAB API',
    what:
      '`run` waits up to 90 seconds more while sessions are read, such as after a start; ' +
      'version 2 of `vocabulary`, with the question `exit day`',
  },
  {
    date: '2026-11-26',
    interface: 'Orders API',
    what: "a cancel finds its print by the vendor's key or by time, never by the order of numbers: where a vendor's numbers wrap, run by channel or are shared by contracts, cancelled prints that stood in the ledger are gone once the session is built again",
  },
  {
    date: '2026-11-26',
    interface: 'Alerts',
    what: 'answers 100 to 199 of a webhook before the last one are passed over',
  },
  {
    date: '2026-11-26',
    interface: 'Alerts',
    what: 'a Telegram group that has moved is followed; `moved`, `no_chat` and `no_rights` as the `error` of a try',
  },
  {
    date: '2026-11-26',
    interface: 'Calendar',
    what: 'days that were closed without a rule since 1983, such as 29 and 30 October 2012, are no sessions; half days before 2015',
  },
  {
    date: '2026-11-26',
    interface: 'Imports',
    what: "Cboe DataShop files since June 2022, whose count of exchanges is empty; data folders of any name; columns of Parquet whose type does not fit are named; a page of FRED's list is said to be a part",
  },
  {
    date: '2026-11-26',
    interface: 'LAB API',
    what: 'a message has up to 700 words, numbers and signs, and an account sends up to 5,000 messages a day: 429 with `Retry-After` beyond; the headers `RateLimit` and `RateLimit-Policy` of `chat`; `message_words` in the limits of `vocabulary`',
  },
  {
    date: '2026-11-26',
    interface: 'Site',
    what: 'labels of charts and of shared pictures stand beside what is drawn, not on it',
  },
  {
    date: '2026-11-26',
    interface: 'Status',
    what: 'a server that replays is judged by its own clock: it expects no session after the last one stored',
  },
  {
    date: '2026-11-27',
    interface: 'Levels API',
    what: '`p_positive`, `net_gamma_deviation` and `sessions_carried`; the reasons `inventory_unknown` and `no_bound`, with which a flip is null; `regime` may be null; the book `oi` is the convention, without an interval',
  },
  {
    date: '2026-11-27',
    interface: 'Orders API',
    what: '`flip_convention` and `side_convention`: the distance to the flip of the convention, also where `flip` is null',
  },
  {
    date: '2026-11-27',
    interface: 'Archive',
    what: '`p_positive` of each book and `sessions_carried`; a flip is null where it is not known',
  },
  {
    date: '2026-11-27',
    interface: 'Dataset files',
    what: "`p_positive`, `net_gamma_deviation_musd` and `sessions_carried` of `levels`; `guessed_quantity` and `deviation_quantity` of `inventory` and `closing_positions`; `p_positive` of `market_minutes`; the convention's flip in `orders` and `revisions`",
  },
  {
    date: '2026-11-27',
    interface: 'MCP',
    what: "`p_positive` of levels; what is said of a minute without known dealers' positions",
  },
  {
    date: '2026-11-27',
    interface: 'Alerts',
    what: "`certain` is refused in the book `open_interest`, which has no interval; the preview counts the minutes without known dealers' positions, and names what sends nothing then",
  },
  {
    date: '2026-11-27',
    interface: 'Positions API',
    what: "the reasons `inventory_unknown` and `no_bound`: conditions on the flip and on gamma are unknown while the dealers' positions are",
  },
  {
    date: '2026-11-27',
    interface: 'LAB API',
    what: "`unknown_positions` of a result: minutes in which the dealers' positions are not known, and a sentence where the rule needs them",
  },
  {
    date: '2026-11-27',
    interface: 'Status',
    what: 'a broken chain of carried positions is a warning, with the session that is missing and what to run',
  },
  {
    date: '2026-11-27',
    interface: 'Site',
    what: 'where no flip is known, pages and shared pictures say so, and show that of the convention under its name',
  },
  {
    date: '2026-11-27',
    interface: 'Imports',
    what: "`cboe-open-close`: dealers' positions from Cboe's Open-Close files; `guessed_quantity` and `dealers` of `dealer-positions`, `dealers` of `tape_report`",
  },
  {
    date: '2026-11-27',
    interface: 'Status',
    what: '`sources` of `status.json` and of the page: the sources of market data that `fetch` has used, when the newest response came, and whether one is late; minutes of a delayed source are old only beyond its delay',
  },
  {
    date: '2026-11-27',
    interface: 'Imports',
    what: "`fetch` and `sources`: days of ThetaData, Databento, Massive, Cboe's delayed quotes, the Treasury and FRED by one command; `schedule --fetch`; a bar on a terminal",
  },
  {
    date: '2026-11-27',
    interface: 'Levels API',
    what: '`spot_source` and `spot_error`: an index that the tape lacks follows from the quotes by put-call parity, with its standard deviation',
  },
  {
    date: '2026-11-27',
    interface: 'Archive',
    what: '`spot_source` and `spot_error` of each book',
  },
  {
    date: '2026-11-27',
    interface: 'Dataset files',
    what: '`spot_source` and `spot_error` of `levels`, `market_minutes`, `orders` and `revisions`; `last_parity` as the `source` of a settlement, with `settlement_error`; `spot_minutes_parity` of `tape_report`',
  },
  {
    date: '2026-11-27',
    interface: 'MCP',
    what: '`spot_source` and `spot_error` of levels',
  },
  {
    date: '2026-11-27',
    interface: 'Site',
    what: 'the index of a minute of a tape without one stands with its error, and the session says so',
  },
  {
    date: '2026-11-27',
    interface: 'Positions API',
    what: '`spot_error` of `levels`: the error of distances from an index that the tape lacks',
  },
  {
    date: '2026-11-27',
    interface: 'LAB API',
    what: '`index_by_parity` of a result: minutes whose index follows from the quotes, and a sentence',
  },
  {
    date: '2026-11-27',
    interface: 'Status',
    what: '`backfill`: how far the newest backfill is, what failed, and the time left',
  },
  {
    date: '2026-11-27',
    interface: 'Dataset files',
    what: '`position_changes` and `closing_index`: what the prints of a session added to the dealers’ positions, and the index at its close',
  },
  {
    date: '2026-11-27',
    interface: 'Archive',
    what: '`/api/grades` and the page `/grades`: walls touched, held and broken beside other strikes, probabilities of positive gamma beside how calm the index was, of every finished session; errata',
    operations: ['readArchiveGrades'],
  },
  {
    date: '2026-11-27',
    interface: 'Dataset files',
    what: '`level_grades` and `regime_grades`: each wall and probability as it was stated, and how it turned out',
  },
  {
    date: '2026-11-27',
    interface: 'Levels API',
    what: '`expiry` of `levels`: flip, walls and net gamma of the expiry of the day, of the next one and of all, and how much gamma leaves at the close and at the monthly expiration; `exposure` of `gamma`: delta, gamma, vanna or charm of dealers by strike and expiry, with deviations; the errors `bad_expiry` and `bad_exposure`',
  },
  {
    date: '2026-11-27',
    interface: 'Dataset files',
    what: '`exposures` and `expiry_levels`: delta, gamma, vanna and charm by strike and expiry, and the levels of each expiry',
  },
  {
    date: '2026-11-27',
    interface: 'MCP',
    what: '`expiry` and `exposure` of `orders_levels`: levels of one expiry, and the cells with most exposure',
  },
  {
    date: '2026-11-27',
    interface: 'Site',
    what: '`/sessions/DAY/exposures`: a heat map by strike and expiry, and the levels of each expiry',
  },
  {
    date: '2026-11-27',
    interface: 'Levels API',
    what: '`flow`: delta and gamma that customers bought, minute by minute, each with a 90 % interval; the errors `bad_part` and `bad_span`',
    operations: ['readFlow'],
  },
  {
    date: '2026-11-27',
    interface: 'Dataset files',
    what: '`flow`: delta and gamma that customers bought, of the day so far and of five minutes, in all and of 0DTE, calls and puts',
  },
  {
    date: '2026-11-27',
    interface: 'Levels API',
    what: '`/api/v1/stream`, `/orders/api/stream` and `/api/positions/stream`: each new state as a Server-Sent Event, with `Last-Event-ID`',
    operations: ['readLevelsStream', 'readOrdersStream', 'readChecksStream'],
  },
  {
    date: '2026-11-27',
    interface: 'Site',
    what: 'what customers bought, under the index of a session; the value of an order over the index, on its page',
  },
  {
    date: '2026-11-27',
    interface: 'Clients',
    what: 'a package for Python, `clients/python`: every interface and the files of a folder as data frames, with pages, retries, a cache and verified downloads',
  },
  {
    date: '2026-11-27',
    interface: 'Dataset files',
    what: 'one simulated session with all datasets, its tape and the truth, without a key: `/snapshots/sample/`, made by `tapefold sample`',
    operations: ['readSample'],
  },
  {
    date: '2026-11-27',
    interface: 'Clients',
    what: 'a package for TypeScript, `clients/typescript`, with the types of the OpenAPI file',
  },
  {
    date: '2026-11-27',
    interface: 'Clients',
    what: 'six notebooks in `examples/notebooks`, run by a test',
  },
  {
    date: '2026-11-27',
    interface: 'Dataset files',
    what: 'a contract that machines check: `tapefold.odcs.yaml` and `datapackage.json`, and ten sign vectors',
  },
  {
    date: '2026-11-27',
    interface: 'Dataset files',
    what: '`tapefold files --catalog FILE`: one DuckDB file to attach, with a view for each dataset, replaced editions included',
  },
  {
    date: '2026-11-27',
    interface: 'LAB API',
    what:
      '`proposal` and `unread` of a question: the rule without the words that were not read, which ' +
      '`accept` or "yes" takes; words with one wrong letter are read and said back; a rule that ' +
      'enters each time may have no minutes between entries',
  },
  {
    date: '2026-11-27',
    interface: 'MCP',
    what: '`accept` of `lab_chat`: takes a proposed rule without its unread words',
  },
  {
    date: '2026-11-27',
    interface: 'LAB API',
    what: '`sealed` of a result and `is_sealed` of a trade: the trades of the holdout are not shown, and no figure but the verdict counts them; the action `open` of an idea on the desk',
  },
  {
    date: '2026-11-27',
    interface: 'LAB API',
    what: '`figures`, `seen` and `words` of a result: wins, losses and capital in USD, trades by exit, weekday and month, the smallest effect that could be seen, and each statistical word in a sentence',
  },
  {
    date: '2026-11-27',
    interface: 'LAB API',
    what: 'looks at the holdout count for all rules whose trades overlap by half, such as a put spread and an iron condor; `days_off` of a window or an event counts days without a trade of the rule',
  },
  {
    date: '2026-11-27',
    interface: 'LAB API',
    what: '`drop` of a test: takes the idea that holds the conveyor off in the same step; the 409 of a test names it',
  },
  {
    date: '2026-11-27',
    interface: 'LAB API',
    what: '`TAPEFOLD_MODEL_URL`: a language model that proposes a rule for what was not understood; `proposal` and `unread` of a question, and `accept` of `chat`, which takes the proposed rule',
  },
  {
    date: '2026-11-28',
    interface: 'Dataset files',
    what: 'each instant with zone UTC, in columns whose name ends in `_utc`: `printed_utc` of `printed_at`, `minute_utc` of `minute_et`',
  },
  {
    date: '2026-11-28',
    interface: 'Dataset files',
    what: 'in each Parquet file: its dataset, grain, sort order, schema edition, licence and source, and the unit and sign of its columns',
  },
  {
    date: '2026-11-28',
    interface: 'Dataset files',
    what: '`published/current/*/DATASET.*.parquet`: a pattern that finds each session once, also while it is built again',
  },
  {
    date: '2026-11-28',
    interface: 'Dataset files',
    what: '`tapefold files --months`: orders and levels by month, `published/months/*/levels.*.parquet`; `schedule` writes them each night; `months` of `index.json` lists them',
  },
  {
    date: '2026-11-28',
    interface: 'LAB API',
    what: '`rewritten` of a reply, which was never sent, is gone: a model proposes a rule in `proposal`',
  },
  {
    date: '2026-11-28',
    interface: 'LAB API',
    what: '`version` 4 of the vocabulary: legs by their own strikes, bounds behind their number, days by letters; small talk keeps an open question, "start over" begins anew, an option is named by its place',
  },
  {
    date: '2026-11-28',
    interface: 'Archive',
    what: '`condition`, `published_at`, `due_at` and `edition` of a day, each null with a reason: in `/api/days`, in `index.json` of the dataset files and in `/status.json`',
  },
  {
    date: '2026-11-28',
    interface: 'Dataset files',
    what: '`restatements`: what each new edition of a session changed, dataset by dataset and column by column, and why',
  },
  {
    date: '2026-11-28',
    interface: 'Levels API',
    what: '`style=sierra` and `style=thinkscript` of `levels.txt`; the page `/charts` with scripts for TradingView and NinjaTrader',
  },
  {
    date: '2026-11-28',
    interface: 'Dataset files',
    what: '`tapefold files --catalog FILE --url URL`: the same file with views over the files of a server',
  },
  {
    date: '2026-11-28',
    interface: 'Dataset files',
    what: 'a card for each dataset, `/datasets/NAME`: what it is for, what it does not say, its columns with units; `use` and `limits` in the contract',
  },
  {
    date: '2026-11-28',
    interface: 'Levels API',
    what: 'the error `bad_style`: a `style` of `levels.txt` that is none of its forms was answered as pairs before',
  },
  {
    date: '2026-11-28',
    interface: 'Archive',
    what: '`/api/session/{day}/strikes` is rounded to a hundredth of the largest gamma of each minute, or less: 50 KB compressed instead of 157. The dataset `strikes` has every digit',
  },
  {
    date: '2026-11-28',
    interface: 'Levels API',
    what: 'streams: what a client missed comes in few events, each state of levels, one event of orders with all changes since `from`, and the newest check. A stream ends within 15 seconds of its key’s revocation. Pages of other hosts may send `Last-Event-ID` and `Prefer`',
  },
  {
    date: '2026-11-28',
    interface: 'Clients',
    what: 'an address with a user name or password is refused, also by `tapefold files --catalog FILE --url URL`; the notebook `lab` runs on an account in use',
  },
  {
    date: '2026-11-28',
    interface: 'Status',
    what: '`/health/live` and `/health/ready`: whether the process is up, and whether this server can answer; late or missing data make `/health` no longer red, but `/status.json`',
    operations: ['readLive', 'readReady'],
  },
  {
    date: '2026-11-28',
    interface: 'Commands',
    what: '`feed` and `fetch --follow` wait for the first print or quote, whatever comes before it. `sql` opens only the files of the datasets and sessions that a query names. `import` refuses strikes that no option of an index has, such as strikes in thousandths',
  },
  {
    date: '2026-11-28',
    interface: 'Dataset files',
    what: '`tapefold files --views`: writes `published/views.sql` anew after a move of the folder',
  },
  {
    date: '2026-11-28',
    interface: 'Site',
    what: 'sessions that have market minutes alone, such as those that the demo makes for LAB, are in no list of sessions: a sentence says what they have',
  },
  {
    date: '2026-11-28',
    interface: 'MCP',
    what: 'null, or an empty text, for an argument that may be left out; schemas without `format` and `const`, which Gemini refuses; `orders_summary` names the largest order by its id; `accept` of `lab_chat` may be false',
  },
  {
    date: '2026-11-28',
    interface: 'Commands',
    what: "`import` takes only roots of SPX from a vendor's file unless `--roots` names others, and counts the rest; quotes of `databento-cbbo-1m` are carried through minutes without a record; a file that fails at the import of `fetch` is refused and asked for again; `collect --inbox-age`",
  },
  {
    date: '2026-11-28',
    interface: 'Dataset files',
    what: '`tape_report`: a day that its vendor calls degraded is `doubtful`, with the reason `degraded_file_count`',
  },
  {
    date: '2026-11-28',
    interface: 'Archive',
    what: 'contracts of the closed days 2018-12-05 and 2025-01-09 end with the session before',
  },
  {
    date: '2026-11-28',
    interface: 'Levels API',
    what: 'a day with a chain and open interest, but no prints, can be built: levels of open interest, no orders; `prints_missing` in its tape report',
  },
  {
    date: '2026-11-28',
    interface: 'Orders API',
    what: '`p` and the signs of orders larger than the size shown lean with their price; prices between bid and ask say 0.15 to 0.85. Build older sessions again',
  },
  {
    date: '2026-11-28',
    interface: 'Commands',
    what: "`fetch treasury` takes the Treasury's files, which end without a line break; `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` are used; a response that is too slow, too large or no HTTP ends with one sentence",
  },
  {
    date: '2026-11-28',
    interface: 'Orders API',
    what: '`p` rests on seven published rates instead of a table learnt from simulated tapes; the reason `not_calibrated` is gone. A leg beyond the quoted strikes no longer takes its order out of the flow. Build older sessions again',
  },
  {
    date: '2026-11-28',
    interface: 'Dataset files',
    what: '`side_deviation` of orders and revisions, `balance_quantity` and `rate_quantity` of `closing_positions` and `position_changes`: what many orders share, which is now inside the intervals of flow, flip and net gamma',
  },
  {
    date: '2026-11-28',
    interface: 'Commands',
    what: '`accuracy --worlds` measures sides, flow and flip in 14 worlds of sides; `--flow` and `--side-tapes` are gone, and `--out` writes the tables as text. A `build` that fails leaves the files of another build of the session, at the same time, in place',
  },
  {
    date: '2026-11-28',
    interface: 'Dataset files',
    what: "`level_grades`: `random` is of the four strikes left whose distance from the index is nearest to the wall's, two nearer and two not, and no longer drawn; the same of `/grades`. Build older sessions again",
  },
] as const satisfies readonly Addition[]

/** Last ET day of `put_support`, and of the header X-Service-Signature-V0 (contract). */
export const PUT_SUPPORT_LAST_DAY = '2026-11-30'

/** Parts that are still available and will be removed. */
export const DEPRECATIONS = [
  {
    part: 'signature_v0',
    date: '2026-10-11',
    interface: 'Positions webhook',
    what: 'the header `X-Service-Signature-V0`, which signs the body alone',
    instead: '`X-Service-Signature`, which signs the timestamp and the body',
    lastDay: PUT_SUPPORT_LAST_DAY,
  },
  {
    part: 'put_support',
    date: null,
    interface: 'Alerts webhook',
    what: '`put_support` in `levels`',
    instead: '`put_wall`, the same number',
    lastDay: PUT_SUPPORT_LAST_DAY,
  },
  {
    part: 'instants_without_zone',
    date: '2026-11-28',
    interface: 'Dataset files',
    what: 'columns of type `timestamp`, whose name ends in `_at`',
    instead: 'the same instants with zone UTC, whose name ends in `_utc`',
    lastDay: '2027-11-30',
  },
] as const satisfies readonly Deprecation[]

/** End of a deprecated part and, if announced, the time from which it should not be used. */
export function deprecationDates(part: DeprecatedPart): {
  /** Instant from which it is no longer sent: the midnight that ends its last day in New York. */
  readonly endsAtMs: number
  readonly deprecatedAtMs: number | null
} {
  const { date, lastDay }: Deprecation = DEPRECATIONS.find(row => row.part === part)!
  return {
    endsAtMs: midnightMs(addDays(lastDay, 1)),
    deprecatedAtMs: date === null ? null : midnightMs(date),
  }
}

/** True when the part is still sent at an instant. */
export const isStillSent = (part: DeprecatedPart, atMs: number): boolean =>
  atMs < deprecationDates(part).endsAtMs

/** Returns the day from which an operation is available. Fails for one that no row names. */
export function availableSince(operationId: string): string {
  const additions: readonly Addition[] = ADDITIONS
  const found = additions.find(({ operations }) => operations?.includes(operationId))
  if (!found) throw new Error(`${operationId} is in no row of the additions`)
  return found.date
}

// Made by npm run types of clients/typescript. SHA-256 of the OpenAPI file: d2a3cb6cb8be15b5cfce2c513a5f5b250294c7f074e2cc4547558ad4ef581095

export interface paths {
    "/orders/api/day": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The ledger of one session
         * @description Every large order of the session, sorted by what it did to the dealers' gamma.
         *     A day without a ledger answers 200 with no orders and a note. With `asof` you get the ledger as it
         *     was known at that minute. Orders that changed later are shown as they were, later orders are absent,
         *     and `tape` has no grade, only the gaps known then. JSON by default; also `text/csv`, Parquet and an Arrow stream by the Accept
         *     header, with the same orders row by row. A null is an empty field in CSV.
         *
         *     Available since 2026-09-24.
         */
        get: operations["readDay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orders/api/latest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The ledger of the newest session
         * @description Today's while the market is open, the last finished one after the close.
         *     JSON by default; also `text/csv`, Parquet and an Arrow stream by the Accept
         *     header, with the same orders row by row. A null is an empty field in CSV.
         *
         *     Available since 2026-09-24.
         */
        get: operations["readLatest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orders/api/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The changes of the ledger as each state is published
         * @description The event `orders` of a state has `orders`, those that are new or known otherwise than
         *     at the minute `from`, as the ledger has them, and `ended`, the ids of those that are no order any more.
         *     `from` is the state before, or the last one that a client has which comes back; null: the event has the whole ledger. Server-Sent Events, an event a state, with the id `DAYTHH:MM`, which is the
         *     same on every server. A client that comes back with `Last-Event-ID` is sent first what it missed: the
         *     changes of orders as one event a session, levels of the newest 500 states at most, checks of the
         *     newest state. One without begins with the newest state. A key has at most 3 streams of an interface on each
         *     server process. A stream ends after 10 minutes and is to be opened again; it ends within
         *     15 seconds of its key's revocation or its plan's end; one that is not read is closed.
         *
         *     Available since 2026-11-27.
         */
        get: operations["readOrdersStream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orders/api/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The sessions that have a ledger
         * @description Every day for which `/orders/api/day` answers orders, oldest first.
         *
         *     Available since 2026-09-24.
         */
        get: operations["readSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/positions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The positions of the account, or one of them
         * @description Without `id` all of them, how many there may be, and the catalogue of kinds
         *     and conditions; with `id` one. HEAD answers 405.
         *
         *     Available since 2026-10-04.
         */
        get: operations["readPositions"];
        put?: never;
        /**
         * Add, update or remove a position
         * @description `add` needs kind, legs and entry, and answers the id. Conditions, label and
         *     alert that it does not name are as in the catalogue; conditions that count are those with `on`
         *     true. A webhook's url must be https:// on a public host, without a name or password in it.
         *
         *     `update` needs the id and what changes: legs, conditions, label and alert are merged field by
         *     field, a null is the default again, and the whole position is judged. With another kind, legs and
         *     conditions that the kind does not take are left out. `remove` needs the id.
         *
         *     The answer to a change with an `Idempotency-Key` is kept for 24
         *     hours: the same change with the same key is answered again, with `Idempotency-Replayed: true`, and
         *     not made again; another one is 422 `idempotency_key_reused`. What was refused is not kept.
         *     The keys of an account are of all its operations together, and those of two accounts are apart.
         *
         *     Unknown fields are refused. The body is JSON in UTF-8, whatever its Content-Type, of at most 16 KiB,
         *     without a Content-Encoding; JSON of a version or another character set is 415.
         *
         *     Available since 2026-10-04.
         */
        post: operations["changePositions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/positions/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Positions judged at one minute
         * @description Every position of the account, or one. `levels` tells how far the flip, the
         *     ends of its interval and both walls are from the index, and in each of `shorts` from that
         *     strike. Only what was known before the minute counts: the answer about a past minute is the
         *     one that was given then. A condition whose value nobody can know is `unknown`, never on; when
         *     more than half of those that count are unknown there is no label and `error` says so. As many on
         *     as `label_counts.skip` is SKIP, as many as `caution` is CAUTION, fewer is TRADE. Distances only: no answer holds the index, a level or a strike.
         *
         *     Available since 2026-10-04.
         */
        get: operations["readChecks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/positions/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The positions of the account judged at each new state
         * @description The event `checks` of a state has what `check` answers of its minute. Server-Sent Events, an event a state, with the id `DAYTHH:MM`, which is the
         *     same on every server. A client that comes back with `Last-Event-ID` is sent first what it missed: the
         *     changes of orders as one event a session, levels of the newest 500 states at most, checks of the
         *     newest state. One without begins with the newest state. A key has at most 3 streams of an interface on each
         *     server process. A stream ends after 10 minutes and is to be opened again; it ends within
         *     15 seconds of its key's revocation or its plan's end; one that is not read is closed.
         *
         *     Available since 2026-11-27.
         */
        get: operations["readChecksStream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/positions/track": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The label of one position over the hour up to a minute
         * @description Up to 60 minutes, the last being `t`: each as `check` judges it. Only what was known before the minute counts: the answer about a past minute is the
         *     one that was given then. A condition whose value nobody can know is `unknown`, never on; when
         *     more than half of those that count are unknown there is no label and `error` says so. As many on
         *     as `label_counts.skip` is SKIP, as many as `caution` is CAUTION, fewer is TRADE.
         *
         *     Available since 2026-10-05.
         */
        get: operations["readTrack"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/positions/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The entry minutes of one position, with past sessions replayed
         * @description The entry minute of the last `replay` sessions as it was judged then, and
         *     apart from it, in `outcome`, what happened after. In sessions other than `base_session` the
         *     strikes stand as far from the index as they did at the entry minute of that one, which is the
         *     position's `session`, else the newest with an index at that minute; all of them move by the same
         *     whole number of 5-point steps, a half step going up. A session that cannot be judged is listed with
         *     its `error`. `summary` grades the labels: how often the short strikes held under
         *     each. Only what was known before the minute counts: the answer about a past minute is the
         *     one that was given then. A condition whose value nobody can know is `unknown`, never on; when
         *     more than half of those that count are unknown there is no label and `error` says so. As many on
         *     as `label_counts.skip` is SKIP, as many as `caution` is CAUTION, fewer is TRADE.
         *
         *     Available since 2026-10-05.
         */
        get: operations["readEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the account wants to be told of, and all that can be set
         * @description The list of events of levels, the lines, the rules for orders, the state of the
         *     webhook, how many there may be, and the catalogue of every field.
         *
         *     Available since 2026-11-26.
         */
        get: operations["readAlerts"];
        put?: never;
        /**
         * Change the list, a line or a rule, or have an event sent
         * @description `set` changes an entry of the list: one a type and book. `add` and
         *     `update` take a `line` or a `rule`; `add` answers its id, which `update` needs. `remove`
         *     takes the `id` of either, `arm` that of a line. What an update or a set leaves out stays as it
         *     is; a null is the default again, and no condition in a rule. The catalogue of GET has every field
         *     with its unit and range.
         *
         *     `test` sends an event of type `test` to the webhook, or with `position` to the webhook of
         *     that position; `redeliver` sends the event of an `id` again, with the same id. Both answer the
         *     id of the event, which `deliveries` takes, before it is sent.
         *
         *     An update that moves a line, or turns its direction, arms it. No field asks which way a customer
         *     traded.
         *
         *     The answer to a change with an `Idempotency-Key` is kept for 24
         *     hours: the same change with the same key is answered again, with `Idempotency-Replayed: true`, and
         *     not made again; another one is 422 `idempotency_key_reused`. What was refused is not kept.
         *     The keys of an account are of all its operations together, and those of two accounts are apart.
         *
         *     Unknown fields are refused. The body is JSON in UTF-8, whatever its Content-Type, of at most
         *     16 KiB.
         *
         *     Available since 2026-11-26.
         */
        post: operations["changeAlerts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/alerts/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the account was told, oldest first
         * @description Every event of the account, also where it has no webhook. Ask first without
         *     `after`, then with `last` of the answer before: every event comes once, in the order in which
         *     events can be read. Events are kept for 30 days.
         *
         *     Available since 2026-11-26.
         */
        get: operations["readAlertEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/alerts/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How events got to their places, newest first
         * @description A delivery is one event on its way to one place, with every try. Without
         *     `event` those of all events; `before` leads to older ones.
         *
         *     Available since 2026-11-26.
         */
        get: operations["readAlertDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/levels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Flip, walls and net gamma of symbols
         * @description Levels of the newest minute, or of any minute of a past session. Among several
         *     symbols, one that fails has an `error` of its own and the others are answered. `expiry` asks for the
         *     levels of the expiry of the session or of the next one alone, and how much gamma leaves when.
         *
         *     Available since 2026-11-26.
         */
        get: operations["readLevels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gamma": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Gamma by strike and over the index
         * @description The ladder of strikes within 300 points of the index, and the curve of net gamma; with `exposure` also the delta, gamma, vanna or charm of dealers by strike and expiry.
         *
         *     Available since 2026-11-26.
         */
        get: operations["readGamma"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every minute of a past session
         * @description Columns in JSON; rows in `text/csv` and as an Arrow stream, by the Accept header.
         *
         *     Available since 2026-11-26.
         */
        get: operations["readHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/flow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Delta and gamma that customers bought, minute by minute
         * @description Delta and gamma that customers bought less what they sold, by whole order at its
         *     expected side, each with a 90 % interval; of the newest session or of a past one, up to a minute.
         *     Columns in JSON; rows in `text/csv` and as an Arrow stream, by the Accept header.
         *
         *     Available since 2026-11-27.
         */
        get: operations["readFlow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The levels of each new state as it is published
         * @description The body of `/api/v1/levels` of each state, as the event `levels`; `none` with a
         *     `reason` where it has none. Server-Sent Events, an event a state, with the id `DAYTHH:MM`, which is the
         *     same on every server. A client that comes back with `Last-Event-ID` is sent first what it missed: the
         *     changes of orders as one event a session, levels of the newest 500 states at most, checks of the
         *     newest state. One without begins with the newest state. A key has at most 3 streams of an interface on each
         *     server process. A stream ends after 10 minutes and is to be opened again; it ends within
         *     15 seconds of its key's revocation or its plan's end; one that is not read is closed.
         *
         *     Available since 2026-11-27.
         */
        get: operations["readLevelsStream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/symbols": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The symbols that have levels
         * @description Each with its books, and whether the newest session has a reading of it.
         *
         *     Available since 2026-11-26.
         */
        get: operations["readSymbols"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/expected_move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How far the index was expected to move
         * @description What remains of the move to the PM close, and the range of the session by it.
         *
         *     Available since 2026-11-26.
         */
        get: operations["readExpectedMove"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/levels.txt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Levels as text for charts
         * @description A line a symbol; what is null is left out, and symbols that fail are named in the
         *     header X-Symbol-Errors. A platform that can send no header gives a key that was made for addresses
         *     as `key`.
         *
         *     Available since 2026-11-26.
         */
        get: operations["readLevelsText"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bookmap.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Levels as notes of Bookmap
         * @description Prices on the tick; the flip is as wide as its interval. Keys as of levels.txt.
         *
         *     Available since 2026-11-26.
         */
        get: operations["readBookmapNotes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the key opens, and what is left of its limits
         * @description Counts as a call, as every other.
         *
         *     Available since 2026-11-26.
         */
        get: operations["readKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/days": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The finished sessions
         * @description Needs no key. Every session whose day is over in New York and that is published,
         *     with the index and the flip at its end; index points. 60 calls a minute an address.
         *
         *     Available since 2026-11-26.
         */
        get: operations["readArchiveDays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/grades": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How stated levels turned out
         * @description Needs no key. Walls as stated at each full hour: touched, held or broken, beside
         *     strikes of less gamma and others as far from the index; the stated probabilities of positive gamma against
         *     how calm the index was; every finished session; the faults that published numbers had. 60 calls a
         *     minute an address.
         *
         *     Available since 2026-11-27.
         */
        get: operations["readArchiveGrades"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/session/{day}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A finished session
         * @description Needs no key. The levels of the three dealer books at each minute, the curve of
         *     the measured one at each fifth, the 500 orders that changed the book most, and the counts of the
         *     ledger. A day is free from midnight in New York on.
         *
         *     Available since 2026-11-26.
         */
        get: operations["readArchiveSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/session/{day}/gamma": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The gamma curves of a finished session
         * @description Needs no key. Net dealer gamma over the index at every minute, of one book.
         *
         *     Available since 2026-11-26.
         */
        get: operations["readArchiveGamma"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/session/{day}/strikes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The gamma of each strike of a finished session
         * @description Needs no key. Dealer gamma of the calls and the puts of each strike within 300
         *     points of the index, at every minute or at those of one half hour, of one book.
         *
         *     Available since 2026-11-26.
         */
        get: operations["readArchiveStrikes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/snapshots/sample/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A file of one simulated session, or a list of them
         * @description Needs no key. One simulated session with all its datasets, the tape that they were
         *     built from, and the truth that only the simulator knows: to try before you have a key, and to measure
         *     other code against. `index.json` lists the files, `SHA256SUMS` is for `sha256sum --check`,
         *     `views.sql` makes each a view in DuckDB. 404 where the operator has not made it.
         *     120 calls a minute an address.
         *
         *     Available since 2026-11-27.
         */
        get: operations["readSample"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/snapshots/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A dataset file, or a list of them
         * @description Needs a key of scope `dataset` or `lab`, and the plan DATASET.
         *
         *     `index.json` lists the files. `SHA256SUMS` is for `sha256sum --check`. `views.sql` makes
         *     each dataset a view in DuckDB. `manifest.DAY.json` says what a session is made of.
         *     `DATASET.DAY.HASH16.parquet` is a file: it never changes, and Range asks for a part of it.
         *     600 calls a minute a key.
         *
         *     Available since 2026-11-26.
         */
        get: operations["readSnapshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the service and its files are whole
         * @description Needs no key. Red when the account store does not respond, a file is damaged, an audit found something, or the newest tape is bad. Data that are missing or late are among the warnings: `/status.json` is red for them. Judged once a second for all who ask. A load balancer asks `/health/ready`.
         */
        get: operations["readHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process is up
         * @description Needs no key, and has no limit of calls. Asks nothing else.
         */
        get: operations["readLive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether this server can answer
         * @description Needs no key, and has no limit of calls. It can read what is published, if there is anything, and the account store responds. How old the data are does not count. Less than 2 KB.
         */
        get: operations["readReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/status.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How old the data are, session by session
         * @description Needs no key. What the page `/status` shows: the newest session with its last minute, lag, gaps and datasets, and each weekday of the last 90 days. Always 200, so a monitor of the data compares `status`. Judged once a second for all who ask.
         */
        get: operations["readStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/lab/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An idea in plain words
         * @description Turns an idea in plain words into an exact rule (`spec`), asks for what is missing
         *     (`chat`), or says why there can be no rule (`error`). With `id` the message answers a
         *     question, changes the idea or is `undo`; any message puts the idea back to the stage `rule`. The
         *     same message on the same idea has the same answer. Free, but the account needs a credit. A message
         *     has up to 2000 characters and 700 words, numbers and signs; an account
         *     sends up to 5000 messages a day of New York.
         *
         *     The answer to a change with an `Idempotency-Key` is kept for 24
         *     hours: the same change with the same key is answered again, with `Idempotency-Replayed: true`, and
         *     not made again; another one is 422 `idempotency_key_reused`. What was refused is not kept.
         *     The keys of an account are of all its operations together, and those of two accounts are apart.
         *
         *     Available since 2026-11-26.
         */
        post: operations["changeIdea"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/lab/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test an idea
         * @description Tests an idea for a credit: `backtest` at the stage `rule`, then `quant` at the
         *     stage `tested`, which tries every variant. One idea of an account is on the conveyor, from its
         *     backtest until it is put on the desk, dropped or deleted; `drop` takes the one that holds it off in
         *     the same call. A backtest is waited for up to 30 seconds,
         *     a quant up to 120; then it is 502. Up to 90 seconds more in which sessions are read, such as after a
         *     start, do not count. A run that fails gives its credit back. With
         *     `Prefer: respond-async` the answer is 202 with the job, which `/api/struct/job` tells of. Who
         *     hangs up leaves the run as it is.
         *
         *     The answer to a change with an `Idempotency-Key` is kept for 24
         *     hours: the same change with the same key is answered again, with `Idempotency-Replayed: true`, and
         *     not made again; another one is 422 `idempotency_key_reused`. What was refused is not kept.
         *     The keys of an account are of all its operations together, and those of two accounts are apart.
         *
         *     Available since 2026-11-26.
         */
        post: operations["changeLabRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/lab/idea": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What becomes of an idea
         * @description `desk` puts an idea that is ready on the desk, `drop` puts it back to its
         *     beginning, and both free the conveyor; `delete` removes it. `open` shows all trades of the sealed
         *     sessions of an idea on the desk: no rule of the account is judged on them any more, and its next
         *     holdout is of 60 sessions that come later. `set` changes an idea of the desk:
         *     whether it is `on`, what charts `draw` of it, and where an `alert` of it goes.
         *
         *     Available since 2026-11-26.
         */
        post: operations["changeLabIdea"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/lab/result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a test of an idea found
         * @description The newest result of the kind, whole.
         *
         *     Available since 2026-11-26.
         */
        get: operations["readLabResult"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/lab/trades": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The trades behind a result
         * @description Every trade of the core, in the rule or not, and every chance that was no trade,
         *     with its reason. JSON by default; also `text/csv`, Parquet and an Arrow stream by the Accept
         *     header, which have all rows. What came after the entry of a trade of the holdout is null, and
         *     `is_sealed` true, until its idea is on the desk and opened.
         *
         *     Available since 2026-11-26.
         */
        get: operations["readLabTrades"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/struct/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compute a rule by itself
         * @description Computes a rule for a credit, on the sessions before the sealed part and without
         *     a verdict. It holds no conveyor; it counts as a trial of its kind of trades.
         *
         *     The answer to a change with an `Idempotency-Key` is kept for 24
         *     hours: the same change with the same key is answered again, with `Idempotency-Replayed: true`, and
         *     not made again; another one is 422 `idempotency_key_reused`. What was refused is not kept.
         *     The keys of an account are of all its operations together, and those of two accounts are apart.
         *
         *     Available since 2026-11-26.
         */
        post: operations["changeStructRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/struct/job": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How far a job is
         * @description Any job of the account, of an idea or of a rule alone; its result once done.
         *
         *     Available since 2026-11-26.
         */
        get: operations["readStructJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/lab/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ideas, conveyor and credits
         * @description The ideas of the account, which of them is on the conveyor, and its credits.
         *
         *     Available since 2026-11-26.
         */
        get: operations["readLabState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/lab/thread": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was said on an idea
         * @description The messages of both sides, with the version of the rule that each led to.
         *
         *     Available since 2026-11-26.
         */
        get: operations["readLabThread"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/lab/vocabulary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the language knows
         * @description Phrases, structures, conditions, limits and examples: the parser's own table.
         *
         *     Available since 2026-11-26.
         */
        get: operations["readLabVocabulary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/geo/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Items of the last 30 days
         * @description What was reported of each country, day and kind of event, and US releases, newest day
         *     first. All pages of a list tell what was known at the instant of its first one. Without `week` and `from`, all of the 30 days.
         *
         *     Available since 2026-11-26.
         */
        get: operations["readGeoItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/geo/weeks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Weeks of the last 30 days
         * @description How much each week has, whether it is complete, and its SPX sessions.
         *
         *     Available since 2026-11-26.
         */
        get: operations["readGeoWeeks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/geo/countries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Countries of a week
         * @description How much was reported of each country; left out, `week` is the one of now.
         *
         *     Available since 2026-11-26.
         */
        get: operations["readGeoCountries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/geo/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How new the records are
         * @description Up to when each source is known.
         *
         *     Available since 2026-11-26.
         */
        get: operations["readGeoHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/geo/v1/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Items of any days
         * @description What was reported of each country, day and kind of event, and US releases, newest day
         *     first. All pages of a list tell what was known at the instant of its first one. 366 days at most in one question.
         *
         *     Available since 2026-11-26.
         */
        get: operations["readGeoItemsOfAnyDay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/geo/v1/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sources
         * @description Whose records they are, what may be done with them, and how to cite them.
         *
         *     Available since 2026-11-26.
         */
        get: operations["readGeoSources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/geo/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Calls of the month
         * @description How many calls of the UTC month are used. It is no call itself.
         *
         *     Available since 2026-11-26.
         */
        get: operations["readGeoUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/geo/v1/export.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Items as CSV
         * @description All items of 92 days at most, as one call: the pages of `/v1/items` in one.
         *
         *     Available since 2026-11-26.
         */
        get: operations["readGeoExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description An ET trading day.
         * @example 2026-10-14
         */
        Day: string;
        /** @description One change of the positions of an account. */
        PositionChange: {
            /** @enum {string} */
            op: "add" | "update" | "remove";
            position: components["schemas"]["PositionInput"];
        };
        /** @description A position to add, or what changes of one. */
        PositionInput: {
            /** @description Needed by update and remove; not by add. */
            id?: string;
            /** @enum {string} */
            kind?: "condor" | "strangle" | "put_spread" | "call_spread";
            /** @description The strikes of the kind, rising. An update takes some of them. */
            legs?: {
                /** @description Index points, a multiple of 5; null: none. */
                lp?: number | null;
                /** @description Index points, a multiple of 5; null: none. */
                sp?: number | null;
                /** @description Index points, a multiple of 5; null: none. */
                sc?: number | null;
                /** @description Index points, a multiple of 5; null: none. */
                lc?: number | null;
            };
            /** @description ET minute, 09:31 to 15:59. */
            entry?: string;
            /** @description Those that are not as by default; in an update, those that change. */
            conditions?: {
                /** @description A condition of the catalogue. */
                id: string;
                /** @description Whether it counts; true by default. */
                on?: boolean | null;
                /** @description In the condition's unit and range. */
                threshold?: number | null;
            }[] | null;
            /** @description 1 <= caution <= skip <= conditions that count. */
            label?: {
                caution?: number | null;
                skip?: number | null;
            } | null;
            alert?: {
                channel?: ("telegram" | "email" | "webhook" | "off") | null;
                /** @description https://, a public host. */
                url?: string | null;
                before?: number | null;
                /** @description As it is answered; it changes nothing. */
                state?: ("on" | "off") | null;
            } | null;
            /** @description A trading day, YYYY-MM-DD. */
            session?: string | null;
        };
        /** @description One change of the alerts of an account, or an event to be sent. */
        AlertsChange: {
            /** @constant */
            op: "set";
            entry: components["schemas"]["AlertEntryInput"];
        } | {
            /** @enum {string} */
            op: "add" | "update";
            line: components["schemas"]["AlertLineInput"];
        } | {
            /** @enum {string} */
            op: "add" | "update";
            rule: components["schemas"]["AlertRuleInput"];
        } | {
            /** @enum {string} */
            op: "remove" | "arm";
            id: string;
        } | {
            /** @constant */
            op: "test";
            /** @description Id of a position: its own webhook is tested. */
            position?: string | null;
        } | {
            /** @constant */
            op: "redeliver";
            /** @description Of an event. */
            id: string;
        };
        /** @description An entry of the list, and what changes of it. */
        AlertEntryInput: {
            /** @constant */
            type: "flip_cross";
            /** @description whose levels: the measured book, or one made of volume or of open interest: one of measured, volume, open_interest, such as "measured". By default "measured". */
            book?: ("measured" | "volume" | "open_interest" | "vol" | "oi") | null;
            /** @description the index: one of SPX, such as "SPX". By default "SPX". */
            symbol?: "SPX" | null;
            /** @description whether it is sent; where an account says nothing, as `on_in` of the type says: true or false. */
            on?: boolean | null;
            /** @description how many minutes in a row it must hold: a whole number from 1 to 15, such as 3. By default 2. */
            confirm?: number | null;
            /** @description how far beyond the flip; `auto` is an eighth of the width of its interval, 1 to 5 points; 5 without one: a number from 0 to 50 with at most 2 decimals or "auto", such as 2. By default "auto". */
            margin_points?: (number | "auto") | null;
            /** @description only when the index is beyond the whole interval; in the book `measured` alone: true or false. By default false. */
            certain?: boolean | null;
        } | {
            /** @constant */
            type: "wall_break";
            /** @description whose levels: the measured book, or one made of volume or of open interest: one of measured, volume, open_interest, such as "measured". By default "measured". */
            book?: ("measured" | "volume" | "open_interest" | "vol" | "oi") | null;
            /** @description the index: one of SPX, such as "SPX". By default "SPX". */
            symbol?: "SPX" | null;
            /** @description whether it is sent; where an account says nothing, as `on_in` of the type says: true or false. */
            on?: boolean | null;
            /** @description which walls: a list of call_wall, put_wall, each at most once, such as ["call_wall"]. By default ["call_wall","put_wall"]. */
            walls?: ("call_wall" | "put_wall")[] | null;
            /** @description how many minutes in a row it must hold: a whole number from 1 to 15, such as 3. By default 2. */
            confirm?: number | null;
            /** @description how far beyond the wall: a number from 0 to 20 with at most 2 decimals, such as 10. By default 1. */
            margin_points?: number | null;
        } | {
            /** @constant */
            type: "regime_change";
            /** @description whose levels: the measured book, or one made of volume or of open interest: one of measured, volume, open_interest, such as "measured". By default "measured". */
            book?: ("measured" | "volume" | "open_interest" | "vol" | "oi") | null;
            /** @description the index: one of SPX, such as "SPX". By default "SPX". */
            symbol?: "SPX" | null;
            /** @description whether it is sent; where an account says nothing, as `on_in` of the type says: true or false. */
            on?: boolean | null;
            /** @description how many minutes in a row it must hold: a whole number from 1 to 15, such as 3. By default 2. */
            confirm?: number | null;
        } | {
            /** @constant */
            type: "wall_move";
            /** @description whose levels: the measured book, or one made of volume or of open interest: one of measured, volume, open_interest, such as "measured". By default "measured". */
            book?: ("measured" | "volume" | "open_interest" | "vol" | "oi") | null;
            /** @description the index: one of SPX, such as "SPX". By default "SPX". */
            symbol?: "SPX" | null;
            /** @description whether it is sent; where an account says nothing, as `on_in` of the type says: true or false. */
            on?: boolean | null;
            /** @description which walls: a list of call_wall, put_wall, each at most once, such as ["call_wall"]. By default ["call_wall","put_wall"]. */
            walls?: ("call_wall" | "put_wall")[] | null;
            /** @description how many minutes in a row it must hold: a whole number from 1 to 15, such as 3. By default 5. */
            confirm?: number | null;
            /** @description the smallest move that counts: a number from 5 to 100 with at most 2 decimals, such as 10. By default 5. */
            min_points?: number | null;
        } | {
            /** @constant */
            type: "flip_move";
            /** @description whose levels: the measured book, or one made of volume or of open interest: one of measured, volume, open_interest, such as "measured". By default "measured". */
            book?: ("measured" | "volume" | "open_interest" | "vol" | "oi") | null;
            /** @description the index: one of SPX, such as "SPX". By default "SPX". */
            symbol?: "SPX" | null;
            /** @description whether it is sent; where an account says nothing, as `on_in` of the type says: true or false. */
            on?: boolean | null;
            /** @description the smallest move that counts: a number from 1 to 200 with at most 2 decimals, such as 15. By default 10. */
            threshold_points?: number | null;
            /** @description how many minutes in a row it must hold: a whole number from 1 to 15, such as 3. By default 3. */
            confirm?: number | null;
        } | {
            /** @constant */
            type: "level_near";
            /** @description whose levels: the measured book, or one made of volume or of open interest: one of measured, volume, open_interest, such as "measured". By default "measured". */
            book?: ("measured" | "volume" | "open_interest" | "vol" | "oi") | null;
            /** @description the index: one of SPX, such as "SPX". By default "SPX". */
            symbol?: "SPX" | null;
            /** @description whether it is sent; where an account says nothing, as `on_in` of the type says: true or false. */
            on?: boolean | null;
            /** @description which levels: a list of flip, call_wall, put_wall, each at most once, such as ["flip","put_wall"]. By default ["flip","call_wall","put_wall"]. */
            levels?: ("flip" | "call_wall" | "put_wall")[] | null;
            /** @description how near: a number from 1 to 50 with at most 2 decimals, such as 10. By default 5. */
            threshold_points?: number | null;
        };
        /** @description A line to add, or what changes of one. */
        AlertLineInput: {
            /** @description Needed by update; not by add. */
            id?: string;
            /**
             * @description at a price, or at a level wherever that goes: one of price, level, such as "price".
             * @enum {string}
             */
            kind?: "price" | "level";
            /** @description of kind `price`: where the line is: a number from 1 to 100000 with at most 2 decimals, such as 6000. */
            price?: number | null;
            /** @description of kind `level`: which level it follows: one of flip, call_wall, put_wall, such as "put_wall". */
            level?: ("flip" | "call_wall" | "put_wall") | null;
            /** @description of kind `level`: whose level: one of measured, volume, open_interest, such as "measured". By default "measured". */
            book?: ("measured" | "volume" | "open_interest" | "vol" | "oi") | null;
            /** @description of kind `level`: how far above the level, below zero under it: a number from -100 to 100 with at most 2 decimals, such as 10. By default 0. */
            offset?: number | null;
            /** @description `once`: it fires and is then off; `repeat`: again once the index was 2 points away: one of once, repeat, such as "once". By default "once". */
            mode?: ("once" | "repeat") | null;
            /** @description to which side of the line the index has to come: one of any, above, below, such as "above". By default "any". */
            direction?: ("any" | "above" | "below") | null;
            /** @description a word of yours: 1 to 120 printable characters on one line, such as "near my short put". */
            note?: string | null;
        };
        /** @description A rule to add, or what changes of one. */
        AlertRuleInput: {
            /** @description Needed by update; not by add. */
            id?: string;
            /** @description how it is called in events: 1 to 60 printable characters on one line, such as "big verticals". */
            name?: string;
            /** @description whether it is sent: true or false. By default true. */
            on?: boolean | null;
            /** @description the structure is one of these: a list of single, vertical, ratio_spread, calendar, ratio_calendar, diagonal, ratio_diagonal, straddle, ratio_straddle, strangle, ratio_strangle, guts, synthetic, risk_reversal, ratio_risk_reversal, butterfly, broken_wing_butterfly, christmas_tree, ladder, three_way, condor, broken_wing_condor, iron_condor, iron_butterfly, double_vertical, box, jelly_roll, vertical_roll, double_calendar, double_diagonal, custom, each at most once, such as ["vertical","iron_condor"]. */
            kinds?: ("single" | "vertical" | "ratio_spread" | "calendar" | "ratio_calendar" | "diagonal" | "ratio_diagonal" | "straddle" | "ratio_straddle" | "strangle" | "ratio_strangle" | "guts" | "synthetic" | "risk_reversal" | "ratio_risk_reversal" | "butterfly" | "broken_wing_butterfly" | "christmas_tree" | "ladder" | "three_way" | "condor" | "broken_wing_condor" | "iron_condor" | "iron_butterfly" | "double_vertical" | "box" | "jelly_roll" | "vertical_roll" | "double_calendar" | "double_diagonal" | "custom")[] | null;
            /** @description the gross premium is at least this: a number from 0 to 10000, such as 2.5. */
            min_premium?: number | null;
            /** @description the net premium is at least this, paid or received: a number from 0 to 10000, such as 1. */
            min_net?: number | null;
            /** @description the structure traded at least so many times: a whole number from 1 to 10000000, such as 500. */
            min_size?: number | null;
            /** @description it adds dealer gamma, or removes it: one of adds, removes, such as "removes". */
            gamma?: ("adds" | "removes") | null;
            /** @description its dealer gamma is at least this, either way: a number from 0 to 100000, such as 5. */
            min_gamma?: number | null;
            /** @description its expiry is at least so many days away; 0 is today: a whole number from 0 to 5000, such as 0. */
            dte_min?: number | null;
            /** @description its expiry is at most so many days away: a whole number from 0 to 5000, such as 7. */
            dte_max?: number | null;
            /** @description the index is at most so far from the flip at its minute: a number from 0 to 1000 with at most 2 decimals, such as 20. */
            flip_within?: number | null;
            /** @description the index is over or under the flip at its minute: one of over, under, such as "under". */
            flip_is?: ("over" | "under") | null;
            /** @description which wall `wall_within` is of; `any` where it is left out: one of call_wall, put_wall, any, such as "any". */
            wall?: ("call_wall" | "put_wall" | "any") | null;
            /** @description the index is at most so far from the wall at its minute: a number from 0 to 1000 with at most 2 decimals, such as 15. */
            wall_within?: number | null;
            /** @description its minute is this one or later: an ET minute from 09:30 to 16:15, such as "10:00". */
            from_t?: string | null;
            /** @description its minute is this one or earlier: an ET minute from 09:30 to 16:15, such as "15:30". */
            to_t?: string | null;
            /** @description the fold is at least so sure that it is one order: a number from 0 to 1, such as 0.9. */
            min_confidence?: number | null;
        };
        /** @description A message to LAB. */
        LabChat: {
            /** @description An idea, an answer or a change, in plain words. */
            message?: string;
            /**
             * @description In place of a message: takes the rule as it was proposed, without the words that were not read.
             * @constant
             */
            accept?: true;
            /** @description The idea it is about; left out: a new one. */
            id?: string | null;
        };
        /** @description Which idea to test, and how. */
        LabRun: {
            /**
             * @description An idea of the account.
             * @example i_4fQ8sK2mZx0T
             */
            id: string;
            /**
             * @description The step that its stage calls for.
             * @enum {string}
             */
            kind: "backtest" | "quant";
            /** @description An idea to take off the conveyor first, if it is on it, as with the action drop. */
            drop?: string;
        };
        /** @description What to do with an idea. */
        LabAction: {
            /**
             * @description An idea of the account.
             * @example i_4fQ8sK2mZx0T
             */
            id: string;
            /** @enum {string} */
            action: "desk" | "drop" | "delete" | "open" | "set";
            /** @description Of set: whether it runs each minute. */
            on?: boolean;
            /**
             * @description Of set.
             * @enum {string}
             */
            draw?: "off" | "levels" | "trades";
            /**
             * @description Of set.
             * @enum {string}
             */
            alert?: "off" | "telegram" | "email" | "webhook";
        };
        /** @description A rule to compute by itself. */
        LabStructRun: {
            spec: components["schemas"]["RuleSpec"];
            assume?: components["schemas"]["LabAssumeInput"];
        };
        /** @description A compiled rule. */
        RuleSpec: {
            /** @constant */
            v: 1;
            core: components["schemas"]["RuleCore"];
            when: components["schemas"]["RuleCondition"][];
            days?: ("mon" | "tue" | "wed" | "thu" | "fri")[];
            more?: {
                core: components["schemas"]["RuleCore"];
                when: components["schemas"]["RuleCondition"][];
            }[];
        };
        /** @description The trade itself, without its conditions. */
        RuleCore: {
            /** @enum {string} */
            action: "sell" | "buy";
            /** @enum {string} */
            structure: "put_spread" | "call_spread" | "iron_condor" | "iron_butterfly" | "strangle" | "straddle";
            width?: number;
            strike: components["schemas"]["RuleStrike"];
            dte: number;
            qty: number;
            entry: components["schemas"]["RuleEntry"];
            exit: components["schemas"]["RuleExit"][];
        };
        /** @description Where the short strike is, or the long one if bought. */
        RuleStrike: {
            /** @enum {string} */
            ref: "spot" | "put_wall" | "call_wall" | "flip";
            offset: number;
        } | {
            /** @constant */
            ref: "em";
            /** @description A finite number. */
            mult: number;
        } | {
            /** @constant */
            ref: "delta";
            /** @description A finite number. */
            value: number;
        };
        /** @description When it trades. */
        RuleEntry: {
            /** @description An ET minute, HH:MM. */
            at: string;
        } | {
            window: [
                string,
                string
            ];
            every_min: number;
        } | {
            window: [
                string,
                string
            ];
            /** @enum {string} */
            on: "order" | "cross";
            /** @constant */
            times?: "each";
            gap_min?: number;
        } | {
            window: [
                string,
                string
            ];
            /** @constant */
            times?: "each";
            gap_min?: number;
        };
        /** @description One way out; the first that is reached is taken. */
        RuleExit: {
            /** @constant */
            at: "expiry";
        } | {
            /** @description An ET minute, HH:MM. */
            at: string;
            day?: number;
        } | {
            /** @description A finite number. */
            profit_pct: number;
        } | {
            /** @description A finite number. */
            stop_pct_debit: number;
        } | {
            /** @description A finite number. */
            stop_x_credit: number;
        };
        /** @description One condition; all of a rule must hold. */
        RuleCondition: {
            /** @constant */
            f: "order";
            /** @description A finite number. */
            premium_musd_min: number;
            /** @enum {string} */
            gamma?: "adds" | "removes";
            since_min?: number;
            /** @constant */
            not?: true;
        } | {
            /** @constant */
            f: "cross_flip";
            /** @enum {string} */
            dir: "above" | "below";
            nth: number;
        } | {
            /** @constant */
            f: "spot_minus_put_wall";
            /** @enum {string} */
            op: "<" | "<=" | ">" | ">=" | "abs<" | "abs<=" | "abs>" | "abs>=";
            /** @description A finite number. */
            v: number;
            /** @constant */
            u: "pt";
        } | {
            /** @constant */
            f: "call_wall_minus_spot";
            /** @enum {string} */
            op: "<" | "<=" | ">" | ">=" | "abs<" | "abs<=" | "abs>" | "abs>=";
            /** @description A finite number. */
            v: number;
            /** @constant */
            u: "pt";
        } | {
            /** @constant */
            f: "spot_minus_flip";
            /** @enum {string} */
            op: "<" | "<=" | ">" | ">=" | "abs<" | "abs<=" | "abs>" | "abs>=";
            /** @description A finite number. */
            v: number;
            /** @constant */
            u: "pt";
        } | {
            /** @constant */
            f: "net_gamma";
            /** @enum {string} */
            op: "<" | "<=" | ">" | ">=";
            /** @description A finite number. */
            v: number;
            /** @constant */
            u: "musd_pt";
        } | {
            /** @constant */
            f: "abs_gap";
            /** @enum {string} */
            op: "<" | "<=" | ">" | ">=";
            /** @description A finite number. */
            v: number;
            /** @constant */
            u: "pct";
        } | {
            /** @constant */
            f: "abs_move_from_open";
            /** @enum {string} */
            op: "<" | "<=" | ">" | ">=";
            /** @description A finite number. */
            v: number;
            /** @constant */
            u: "em";
        } | {
            /** @constant */
            f: "move_from_open";
            /** @enum {string} */
            op: "<" | "<=" | ">" | ">=";
            /** @description A finite number. */
            v: number;
            /** @constant */
            u: "pct";
        } | {
            /** @constant */
            f: "atm_iv_change";
            /** @enum {string} */
            op: "<" | "<=" | ">" | ">=";
            /** @description A finite number. */
            v: number;
            /** @constant */
            u: "vol_pt";
        };
        /** @description What a test takes for granted: minutes to the fill, share of the half spread, USD. */
        LabAssumeInput: {
            delay_min?: number;
            spread_factor?: number;
            fee_usd?: number;
        };
        /**
         * @description An event of the alerts. It never says how to trade.
         * @example {
         *       "version": 1,
         *       "id": "evt_9f2c4e7a1b3d5f60718293a4b5c6d7e8",
         *       "type": "flip_cross",
         *       "symbol": "SPX",
         *       "level": {
         *         "kind": "flip",
         *         "value": 5998.76
         *       },
         *       "price": 5994.1,
         *       "book": "measured",
         *       "ts": "2026-11-25T10:37:03-05:00",
         *       "day": "2026-11-25",
         *       "minute": "10:37",
         *       "levels": {
         *         "flip": 5998.76,
         *         "call_wall": 6050,
         *         "put_wall": 5950,
         *         "put_support": 5950
         *       },
         *       "text": "SPX 5,994.10 is below the measured flip 5,998.76 at 10:37 ET.",
         *       "direction": "below",
         *       "flip_lo": 5991.2,
         *       "flip_hi": 6006.4,
         *       "within_bar": true
         *     }
         */
        AlertBody: ({
            /**
             * @description Version of the body.
             * @constant
             */
            version: 1;
            /** @description Every try of one event has the same id: drop ids you have seen. */
            id: string;
            /** @constant */
            symbol: "SPX";
            /** @enum {string} */
            book: "measured" | "volume" | "open_interest";
            /**
             * @description When the event was found: New York time with its offset.
             * @example 2026-11-25T10:37:03-05:00
             */
            ts: string;
            day: components["schemas"]["Day"];
            /** @description The state at which it was found, ET. */
            minute: string;
            levels: components["schemas"]["AlertLevels"];
            /** @description The event in one line. */
            text: string;
            /**
             * @description Of a session that is replayed.
             * @constant
             */
            replay?: true;
            /**
             * @description Of a simulated session.
             * @constant
             */
            simulated?: true;
            /** @constant */
            type: "flip_cross";
            level: {
                /** @enum {string} */
                kind: "flip";
                /** @description Index points; of net gamma, $M per index point. */
                value: number;
            } & {
                [key: string]: unknown;
            };
            /** @description The index at the minute, points. */
            price: number;
            /**
             * @description Where the price is, seen from the level; on the level it is above.
             * @enum {string}
             */
            direction: "above" | "below";
            /** @description Lower end of the flip's 90 % interval. */
            flip_lo?: number;
            /** @description Its upper end. */
            flip_hi?: number;
            /** @description Whether the price is in it. */
            within_bar?: boolean;
        } & {
            [key: string]: unknown;
        }) | ({
            /**
             * @description Version of the body.
             * @constant
             */
            version: 1;
            /** @description Every try of one event has the same id: drop ids you have seen. */
            id: string;
            /** @constant */
            symbol: "SPX";
            /** @enum {string} */
            book: "measured" | "volume" | "open_interest";
            /**
             * @description When the event was found: New York time with its offset.
             * @example 2026-11-25T10:37:03-05:00
             */
            ts: string;
            day: components["schemas"]["Day"];
            /** @description The state at which it was found, ET. */
            minute: string;
            levels: components["schemas"]["AlertLevels"];
            /** @description The event in one line. */
            text: string;
            /**
             * @description Of a session that is replayed.
             * @constant
             */
            replay?: true;
            /**
             * @description Of a simulated session.
             * @constant
             */
            simulated?: true;
            /** @constant */
            type: "wall_break";
            level: {
                /** @enum {string} */
                kind: "call_wall" | "put_wall";
                /** @description Index points; of net gamma, $M per index point. */
                value: number;
            } & {
                [key: string]: unknown;
            };
            /** @description The index at the minute, points. */
            price: number;
            /**
             * @description Where the price is, seen from the level; on the level it is above.
             * @enum {string}
             */
            direction: "above" | "below";
        } & {
            [key: string]: unknown;
        }) | ({
            /**
             * @description Version of the body.
             * @constant
             */
            version: 1;
            /** @description Every try of one event has the same id: drop ids you have seen. */
            id: string;
            /** @constant */
            symbol: "SPX";
            /** @enum {string} */
            book: "measured" | "volume" | "open_interest";
            /**
             * @description When the event was found: New York time with its offset.
             * @example 2026-11-25T10:37:03-05:00
             */
            ts: string;
            day: components["schemas"]["Day"];
            /** @description The state at which it was found, ET. */
            minute: string;
            levels: components["schemas"]["AlertLevels"];
            /** @description The event in one line. */
            text: string;
            /**
             * @description Of a session that is replayed.
             * @constant
             */
            replay?: true;
            /**
             * @description Of a simulated session.
             * @constant
             */
            simulated?: true;
            /** @constant */
            type: "regime_change";
            level: {
                /** @enum {string} */
                kind: "net_gamma";
                /** @description Index points; of net gamma, $M per index point. */
                value: number;
                /** @description What it was before. */
                from: number;
            } & {
                [key: string]: unknown;
            };
            /** @description The index at the minute, points. */
            price?: number;
            /** @enum {string} */
            direction: "positive" | "negative";
        } & {
            [key: string]: unknown;
        }) | ({
            /**
             * @description Version of the body.
             * @constant
             */
            version: 1;
            /** @description Every try of one event has the same id: drop ids you have seen. */
            id: string;
            /** @constant */
            symbol: "SPX";
            /** @enum {string} */
            book: "measured" | "volume" | "open_interest";
            /**
             * @description When the event was found: New York time with its offset.
             * @example 2026-11-25T10:37:03-05:00
             */
            ts: string;
            day: components["schemas"]["Day"];
            /** @description The state at which it was found, ET. */
            minute: string;
            levels: components["schemas"]["AlertLevels"];
            /** @description The event in one line. */
            text: string;
            /**
             * @description Of a session that is replayed.
             * @constant
             */
            replay?: true;
            /**
             * @description Of a simulated session.
             * @constant
             */
            simulated?: true;
            /** @constant */
            type: "wall_move";
            level: {
                /** @enum {string} */
                kind: "call_wall" | "put_wall";
                /** @description Index points; of net gamma, $M per index point. */
                value: number;
                /** @description What it was before. */
                from: number;
            } & {
                [key: string]: unknown;
            };
            /** @description The index at the minute, points. */
            price?: number;
            /** @enum {string} */
            direction: "up" | "down";
        } & {
            [key: string]: unknown;
        }) | ({
            /**
             * @description Version of the body.
             * @constant
             */
            version: 1;
            /** @description Every try of one event has the same id: drop ids you have seen. */
            id: string;
            /** @constant */
            symbol: "SPX";
            /** @enum {string} */
            book: "measured" | "volume" | "open_interest";
            /**
             * @description When the event was found: New York time with its offset.
             * @example 2026-11-25T10:37:03-05:00
             */
            ts: string;
            day: components["schemas"]["Day"];
            /** @description The state at which it was found, ET. */
            minute: string;
            levels: components["schemas"]["AlertLevels"];
            /** @description The event in one line. */
            text: string;
            /**
             * @description Of a session that is replayed.
             * @constant
             */
            replay?: true;
            /**
             * @description Of a simulated session.
             * @constant
             */
            simulated?: true;
            /** @constant */
            type: "flip_move";
            level: {
                /** @enum {string} */
                kind: "flip";
                /** @description Index points; of net gamma, $M per index point. */
                value: number;
                /** @description What it was before. */
                from: number;
            } & {
                [key: string]: unknown;
            };
            /** @description The index at the minute, points. */
            price?: number;
            /** @enum {string} */
            direction: "up" | "down";
            /** @description The threshold of the entry, index points. */
            threshold_points: number;
        } & {
            [key: string]: unknown;
        }) | ({
            /**
             * @description Version of the body.
             * @constant
             */
            version: 1;
            /** @description Every try of one event has the same id: drop ids you have seen. */
            id: string;
            /** @constant */
            symbol: "SPX";
            /** @enum {string} */
            book: "measured" | "volume" | "open_interest";
            /**
             * @description When the event was found: New York time with its offset.
             * @example 2026-11-25T10:37:03-05:00
             */
            ts: string;
            day: components["schemas"]["Day"];
            /** @description The state at which it was found, ET. */
            minute: string;
            levels: components["schemas"]["AlertLevels"];
            /** @description The event in one line. */
            text: string;
            /**
             * @description Of a session that is replayed.
             * @constant
             */
            replay?: true;
            /**
             * @description Of a simulated session.
             * @constant
             */
            simulated?: true;
            /** @constant */
            type: "level_near";
            level: {
                /** @enum {string} */
                kind: "flip" | "call_wall" | "put_wall";
                /** @description Index points; of net gamma, $M per index point. */
                value: number;
            } & {
                [key: string]: unknown;
            };
            /** @description The index at the minute, points. */
            price: number;
            /**
             * @description Where the price is, seen from the level; on the level it is above.
             * @enum {string}
             */
            direction: "above" | "below";
            /** @description The threshold of the entry, index points. */
            threshold_points: number;
        } & {
            [key: string]: unknown;
        }) | ({
            /**
             * @description Version of the body.
             * @constant
             */
            version: 1;
            /** @description Every try of one event has the same id: drop ids you have seen. */
            id: string;
            /** @constant */
            symbol: "SPX";
            /** @enum {string} */
            book: "measured" | "volume" | "open_interest";
            /**
             * @description When the event was found: New York time with its offset.
             * @example 2026-11-25T10:37:03-05:00
             */
            ts: string;
            day: components["schemas"]["Day"];
            /** @description The state at which it was found, ET. */
            minute: string;
            levels: components["schemas"]["AlertLevels"];
            /** @description The event in one line. */
            text: string;
            /**
             * @description Of a session that is replayed.
             * @constant
             */
            replay?: true;
            /**
             * @description Of a simulated session.
             * @constant
             */
            simulated?: true;
            /** @constant */
            type: "price_alert";
            /** @description The index at the minute, points. */
            price: number;
            /**
             * @description Where the price is, seen from the level; on the level it is above.
             * @enum {string}
             */
            direction: "above" | "below";
            alert: {
                id: string;
                /** @description Where the line is, index points. */
                price: number;
                /** @enum {string} */
                mode: "once" | "repeat";
                /** @constant */
                kind: "price";
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        }) | ({
            /**
             * @description Version of the body.
             * @constant
             */
            version: 1;
            /** @description Every try of one event has the same id: drop ids you have seen. */
            id: string;
            /** @constant */
            symbol: "SPX";
            /** @enum {string} */
            book: "measured" | "volume" | "open_interest";
            /**
             * @description When the event was found: New York time with its offset.
             * @example 2026-11-25T10:37:03-05:00
             */
            ts: string;
            day: components["schemas"]["Day"];
            /** @description The state at which it was found, ET. */
            minute: string;
            levels: components["schemas"]["AlertLevels"];
            /** @description The event in one line. */
            text: string;
            /**
             * @description Of a session that is replayed.
             * @constant
             */
            replay?: true;
            /**
             * @description Of a simulated session.
             * @constant
             */
            simulated?: true;
            /** @constant */
            type: "level_line";
            level: {
                /** @enum {string} */
                kind: "flip" | "call_wall" | "put_wall";
                /** @description Index points; of net gamma, $M per index point. */
                value: number;
            } & {
                [key: string]: unknown;
            };
            /** @description The index at the minute, points. */
            price: number;
            /**
             * @description Where the price is, seen from the level; on the level it is above.
             * @enum {string}
             */
            direction: "above" | "below";
            alert: {
                id: string;
                /** @description Where the line is, index points. */
                price: number;
                /** @enum {string} */
                mode: "once" | "repeat";
                /** @constant */
                kind: "level";
                /** @enum {string} */
                level: "flip" | "call_wall" | "put_wall";
                /** @description Index points from the level to the line. */
                offset: number;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        }) | ({
            /**
             * @description Version of the body.
             * @constant
             */
            version: 1;
            /** @description Every try of one event has the same id: drop ids you have seen. */
            id: string;
            /** @constant */
            symbol: "SPX";
            /** @enum {string} */
            book: "measured" | "volume" | "open_interest";
            /**
             * @description When the event was found: New York time with its offset.
             * @example 2026-11-25T10:37:03-05:00
             */
            ts: string;
            day: components["schemas"]["Day"];
            /** @description The state at which it was found, ET. */
            minute: string;
            levels: components["schemas"]["AlertLevels"];
            /** @description The event in one line. */
            text: string;
            /**
             * @description Of a session that is replayed.
             * @constant
             */
            replay?: true;
            /**
             * @description Of a simulated session.
             * @constant
             */
            simulated?: true;
            /** @constant */
            type: "order";
            /** @description The index at the minute, points. */
            price?: number;
            /** @description The rule that matched, with what it asks. */
            rule: {
                id: string;
                name: string;
                /** @description the structure is one of these. */
                kinds?: ("single" | "vertical" | "ratio_spread" | "calendar" | "ratio_calendar" | "diagonal" | "ratio_diagonal" | "straddle" | "ratio_straddle" | "strangle" | "ratio_strangle" | "guts" | "synthetic" | "risk_reversal" | "ratio_risk_reversal" | "butterfly" | "broken_wing_butterfly" | "christmas_tree" | "ladder" | "three_way" | "condor" | "broken_wing_condor" | "iron_condor" | "iron_butterfly" | "double_vertical" | "box" | "jelly_roll" | "vertical_roll" | "double_calendar" | "double_diagonal" | "custom")[];
                /** @description the gross premium is at least this. */
                min_premium?: number;
                /** @description the net premium is at least this, paid or received. */
                min_net?: number;
                /** @description the structure traded at least so many times. */
                min_size?: number;
                /**
                 * @description it adds dealer gamma, or removes it.
                 * @enum {string}
                 */
                gamma?: "adds" | "removes";
                /** @description its dealer gamma is at least this, either way. */
                min_gamma?: number;
                /** @description its expiry is at least so many days away; 0 is today. */
                dte_min?: number;
                /** @description its expiry is at most so many days away. */
                dte_max?: number;
                /** @description the index is at most so far from the flip at its minute. */
                flip_within?: number;
                /**
                 * @description the index is over or under the flip at its minute.
                 * @enum {string}
                 */
                flip_is?: "over" | "under";
                /**
                 * @description which wall `wall_within` is of; `any` where it is left out.
                 * @enum {string}
                 */
                wall?: "call_wall" | "put_wall" | "any";
                /** @description the index is at most so far from the wall at its minute. */
                wall_within?: number;
                /** @description its minute is this one or later. */
                from_t?: string;
                /** @description its minute is this one or earlier. */
                to_t?: string;
                /** @description the fold is at least so sure that it is one order. */
                min_confidence?: number;
            } & {
                [key: string]: unknown;
            };
            order: {
                oid: string;
                /** @description ET minute it printed. */
                t: string;
                /** @description Its structure. */
                kind: string;
                legs: string;
                exp?: components["schemas"]["Day"];
                size: number;
                /** @description Gross, $M. */
                premium: number;
                /** @description Index points from the flip then. */
                flip?: number;
                /** @description The wall the rule names, else the nearer one, and how far it was. */
                wall?: {
                    /** @enum {string} */
                    kind: "call_wall" | "put_wall";
                    points: number;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
            /** @description How many more orders of the minute matched; on the last of five. */
            more?: number;
        } & {
            [key: string]: unknown;
        }) | ({
            /**
             * @description Version of the body.
             * @constant
             */
            version: 1;
            /** @description Every try of one event has the same id: drop ids you have seen. */
            id: string;
            /** @constant */
            symbol: "SPX";
            /**
             * @description When the event was found: New York time with its offset.
             * @example 2026-11-25T10:37:03-05:00
             */
            ts: string;
            day: components["schemas"]["Day"];
            minute: string;
            /** @description The index at the minute, points. */
            price?: number;
            /** @description An idea on the desk of LAB. */
            idea: {
                id: string;
            } & {
                [key: string]: unknown;
            };
            /** @description The event in one line. */
            text: string;
            /**
             * @description Of a session that is replayed.
             * @constant
             */
            replay?: true;
            /**
             * @description Of a simulated session.
             * @constant
             */
            simulated?: true;
            /** @constant */
            type: "idea_triggered";
            trade: {
                structure: string;
                strikes: number[];
                entry_day: components["schemas"]["Day"];
                /** @description When it was entered, on paper. */
                entry: string;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        }) | ({
            /**
             * @description Version of the body.
             * @constant
             */
            version: 1;
            /** @description Every try of one event has the same id: drop ids you have seen. */
            id: string;
            /** @constant */
            symbol: "SPX";
            /**
             * @description When the event was found: New York time with its offset.
             * @example 2026-11-25T10:37:03-05:00
             */
            ts: string;
            day: components["schemas"]["Day"];
            minute: string;
            /** @description The index at the minute, points. */
            price?: number;
            /** @description An idea on the desk of LAB. */
            idea: {
                id: string;
            } & {
                [key: string]: unknown;
            };
            /** @description The event in one line. */
            text: string;
            /**
             * @description Of a session that is replayed.
             * @constant
             */
            replay?: true;
            /**
             * @description Of a simulated session.
             * @constant
             */
            simulated?: true;
            /** @constant */
            type: "idea_closed";
            trade: {
                structure: string;
                strikes: number[];
                entry_day: components["schemas"]["Day"];
                /** @description When it was entered, on paper. */
                entry: string;
                /** @enum {string} */
                exit: "time" | "profit" | "stop" | "settlement";
                /** @description Profit after costs / risk. */
                r?: number;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        }) | ({
            /**
             * @description Version of the body.
             * @constant
             */
            version: 1;
            /** @description Every try of one event has the same id: drop ids you have seen. */
            id: string;
            /** @constant */
            type: "test";
            /** @constant */
            symbol: "SPX";
            /**
             * @description When the event was found: New York time with its offset.
             * @example 2026-11-25T10:37:03-05:00
             */
            ts: string;
            day: components["schemas"]["Day"];
            /** @description The event in one line. */
            text: string;
        } & {
            [key: string]: unknown;
        });
        /** @description Levels of the book at the minute, index points; absent where not known. */
        AlertLevels: {
            flip?: number;
            call_wall?: number;
            put_wall?: number;
            /**
             * @deprecated
             * @description The same as put_wall. Sent until 2026-11-30.
             */
            put_support?: number;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description An event of a position. Distances only.
         * @example {
         *       "version": 1,
         *       "id": "evt_cb564a3becdcf17553970d359ea4f2c7",
         *       "type": "label_changed",
         *       "ts": "2026-11-25T10:12:04-05:00",
         *       "day": "2026-11-25",
         *       "minute": "10:12",
         *       "position_id": "p_4fQ8sK2mZx0T",
         *       "kind": "condor",
         *       "entry": "10:30",
         *       "from": "TRADE",
         *       "label": "CAUTION",
         *       "counts": {
         *         "on": 3,
         *         "off": 11,
         *         "unknown": 1
         *       },
         *       "on": [
         *         "flip_near",
         *         "gap",
         *         "skew"
         *       ],
         *       "shorts": [
         *         {
         *           "leg": "sp",
         *           "points": 41.2,
         *           "expected_moves": 1.31
         *         },
         *         {
         *           "leg": "sc",
         *           "points": 38.8,
         *           "expected_moves": 1.23
         *         }
         *       ],
         *       "text": "Condor p_4fQ8sK2mZx0T for 10:30 is CAUTION, was TRADE: 3 conditions are on at 10:12 ET."
         *     }
         */
        PositionBody: ({
            /**
             * @description Version of the body.
             * @constant
             */
            version: 1;
            /** @description Every try of one event has the same id: drop ids you have seen. */
            id: string;
            /**
             * @description When the event was found: New York time with its offset.
             * @example 2026-11-25T10:37:03-05:00
             */
            ts: string;
            day: components["schemas"]["Day"];
            minute: string;
            position_id: string;
            /** @enum {string} */
            kind: "condor" | "strangle" | "put_spread" | "call_spread";
            /** @description Entry minute of the position, ET. */
            entry: string;
            /** @description Null: `error` says why. */
            label: ("TRADE" | "CAUTION" | "SKIP") | null;
            /** @description Why there is no label. */
            error?: string;
            counts: {
                on: number;
                off: number;
                unknown: number;
            } & {
                [key: string]: unknown;
            };
            /** @description Conditions that are on. */
            on: string[];
            /** @description How far the index is from each short strike; absent: not known. */
            shorts: ({
                /** @enum {string} */
                leg: "sp" | "sc";
                points?: number;
                expected_moves?: number;
            } & {
                [key: string]: unknown;
            })[];
            /** @description The event in one line. */
            text: string;
            /**
             * @description Of a session that is replayed.
             * @constant
             */
            replay?: true;
            /**
             * @description Of a simulated session.
             * @constant
             */
            simulated?: true;
            /** @constant */
            type: "opening_read";
        } & {
            [key: string]: unknown;
        }) | ({
            /**
             * @description Version of the body.
             * @constant
             */
            version: 1;
            /** @description Every try of one event has the same id: drop ids you have seen. */
            id: string;
            /**
             * @description When the event was found: New York time with its offset.
             * @example 2026-11-25T10:37:03-05:00
             */
            ts: string;
            day: components["schemas"]["Day"];
            minute: string;
            position_id: string;
            /** @enum {string} */
            kind: "condor" | "strangle" | "put_spread" | "call_spread";
            /** @description Entry minute of the position, ET. */
            entry: string;
            /** @description Null: `error` says why. */
            label: ("TRADE" | "CAUTION" | "SKIP") | null;
            /** @description Why there is no label. */
            error?: string;
            counts: {
                on: number;
                off: number;
                unknown: number;
            } & {
                [key: string]: unknown;
            };
            /** @description Conditions that are on. */
            on: string[];
            /** @description How far the index is from each short strike; absent: not known. */
            shorts: ({
                /** @enum {string} */
                leg: "sp" | "sc";
                points?: number;
                expected_moves?: number;
            } & {
                [key: string]: unknown;
            })[];
            /** @description The event in one line. */
            text: string;
            /**
             * @description Of a session that is replayed.
             * @constant
             */
            replay?: true;
            /**
             * @description Of a simulated session.
             * @constant
             */
            simulated?: true;
            /** @constant */
            type: "label_changed";
            /** @description The label that was told before. */
            from: ("TRADE" | "CAUTION" | "SKIP") | null;
        } & {
            [key: string]: unknown;
        }) | ({
            /**
             * @description Version of the body.
             * @constant
             */
            version: 1;
            /** @description Every try of one event has the same id: drop ids you have seen. */
            id: string;
            /** @constant */
            type: "test";
            /**
             * @description When the event was found: New York time with its offset.
             * @example 2026-11-25T10:37:03-05:00
             */
            ts: string;
            day: components["schemas"]["Day"];
            position_id: string;
            /** @description The event in one line. */
            text: string;
        } & {
            [key: string]: unknown;
        });
        GeoEvent: {
            /** @constant */
            version: 1;
            /** @description The same at every try: drop what you have seen. */
            id: string;
            /** @enum {string} */
            type: "geo.record" | "geo.test";
            /**
             * @description When it was found.
             * @example 2026-10-14T12:30:00Z
             */
            ts: string;
            /** @description When the items became known; null in a test. */
            known_at: string | null;
            /** @description As they were known then, 100 at most. */
            readonly items: components["schemas"]["GeoItem"][];
            /** @description Items of that instant that are not in it. */
            more: number;
            simulated: boolean;
            /** @description It in one line. */
            text: string;
        } & {
            [key: string]: unknown;
        };
        GeoItem: {
            /**
             * @description The same whenever it is asked for.
             * @example geo_6c2b05cf3454e24c
             */
            id: string;
            /**
             * @description `event`: reported conflict, added up. `release`: published US statistics.
             * @enum {string}
             */
            kind: "event" | "release";
            /**
             * @description A week of ISO 8601, Monday to Sunday.
             * @example 2026-W42
             */
            week: string;
            /**
             * @description Day of the events, or of the release.
             * @example 2026-10-14
             */
            date: string;
            /**
             * @description ISO 3166, two letters.
             * @example UA
             */
            country: string;
            /**
             * @description `event`: CAMEO root, 10 to 20. `release`: FRED's number, or a word.
             * @example 19
             */
            code: string;
            /**
             * @description What the code means.
             * @example fight
             */
            label: string;
            /**
             * @description Events; null for a release.
             * @example 41
             */
            events: number | null;
            /**
             * @description How often news named them at first; null where nobody counted.
             * @example 620
             */
            mentions: number | null;
            /**
             * @description Mean on Goldstein's scale, -10 (conflict) to 10; null where it is not told.
             * @example -10
             */
            goldstein: number | null;
            /** @description Where the most named of them was reported; null where nobody says. */
            url: string | null;
            /**
             * @description Who says so; `/v1/sources` has them.
             * @example gdelt
             */
            source: string;
            /**
             * @description When the first of it became publicly known.
             * @example 2026-10-14T12:30:00Z
             */
            known_at: string;
            /**
             * @description When the last of it became publicly known.
             * @example 2026-10-14T12:30:00Z
             */
            updated_at: string;
            /** @description The SPX session that it was known in, or before. */
            session: components["schemas"]["Day"];
            /**
             * @description First minute of that session whose levels could know it, ET; null before the first and after the last of them.
             * @example 10:01
             */
            minute: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Every large order of one session.
         * @example {
         *       "day": "2026-10-14",
         *       "sym": "SPX",
         *       "min_premium": 100000,
         *       "asof": "16:15:00",
         *       "book": "measured",
         *       "simulated": false,
         *       "tape": {
         *         "grade": "good",
         *         "reasons": [],
         *         "gaps": [
         *           {
         *             "from": "15:31",
         *             "to": "15:33",
         *             "minutes": 3
         *           }
         *         ]
         *       },
         *       "orders": [
         *         {
         *           "oid": "20261014-130012345678-1",
         *           "t": "13:00",
         *           "g": 1.325330518,
         *           "g_null": null,
         *           "kind": "vertical",
         *           "legs": "5950/5970P",
         *           "lg": [
         *             [
         *               5950,
         *               "P",
         *               1
         *             ],
         *             [
         *               5970,
         *               "P",
         *               -1
         *             ]
         *           ],
         *           "exp": "2026-10-14",
         *           "size": 1000,
         *           "contracts": 2000,
         *           "net": 0.15,
         *           "flip": 5.1899416,
         *           "side": "under",
         *           "confidence": 0.98,
         *           "fold": "conditions",
         *           "flags": [],
         *           "p": 0.8261,
         *           "sign_null": null,
         *           "rule": "island 1000 us",
         *           "prints": 2,
         *           "flip_convention": 12.4407219,
         *           "side_convention": "under"
         *         }
         *       ],
         *       "stats": {
         *         "n": 1,
         *         "net": 0.15,
         *         "no_side": 0,
         *         "no_gamma": 0,
         *         "gamma_up": 1,
         *         "gamma_dn": 0,
         *         "gamma_flat": 0
         *       }
         *     }
         */
        Ledger: {
            day: components["schemas"]["Day"];
            /**
             * @description Always SPX; absent when the tape is of another product.
             * @constant
             */
            sym?: "SPX";
            /** @description Smallest gross premium of an order in the ledger, USD. */
            min_premium?: number;
            /** @description ET time up to which the ledger knows the tape; null without a ledger. */
            asof: string | null;
            /**
             * @description The dealer book that the flip is taken from.
             * @constant
             */
            book?: "measured";
            /** @description True when the tape was made by the simulator: no such trades took place. */
            simulated?: boolean;
            tape?: components["schemas"]["Tape"];
            /** @description Largest effect first, by `g` without its sign; orders without `g` last. */
            orders: components["schemas"]["Order"][];
            stats?: components["schemas"]["Stats"];
            /** @description There when the day has no ledger: the list is then empty and `asof` null, which is not an error. Also when the tape is bad, or an audit set prints apart; `tape` says why. */
            note?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description Grade and gaps of the tape that the ledger was built from. While the session runs it has no grade, and is there only when there are gaps. */
        Tape: {
            /**
             * @description Bad: parts of the session are missing or misleading; do not rely on it. Absent, like `reasons`, while the session runs.
             * @enum {string}
             */
            grade?: "good" | "doubtful" | "bad";
            /** @description Every measure of the tape that is not good, with its value and limit. */
            reasons?: string[];
            /** @description Minutes in which nothing was printed, both ends included; while the session runs those before `asof`. Absent in ledgers of older code. */
            readonly gaps?: ({
                from: string;
                to: string;
                minutes: number;
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        /**
         * @description One large options order of a session.
         * @example {
         *       "oid": "20261014-130012345678-1",
         *       "t": "13:00",
         *       "g": 1.325330518,
         *       "g_null": null,
         *       "kind": "vertical",
         *       "legs": "5950/5970P",
         *       "lg": [
         *         [
         *           5950,
         *           "P",
         *           1
         *         ],
         *         [
         *           5970,
         *           "P",
         *           -1
         *         ]
         *       ],
         *       "exp": "2026-10-14",
         *       "size": 1000,
         *       "contracts": 2000,
         *       "net": 0.15,
         *       "flip": 5.1899416,
         *       "side": "under",
         *       "confidence": 0.98,
         *       "fold": "conditions",
         *       "flags": [],
         *       "p": 0.8261,
         *       "sign_null": null,
         *       "rule": "island 1000 us",
         *       "prints": 2,
         *       "flip_convention": 12.4407219,
         *       "side_convention": "under"
         *     }
         */
        Order: {
            /** @description Stable id of the order: session, ET time and sequence of its first print. */
            oid: string;
            /** @description ET minute of the first print. */
            t: string;
            /** @description Dealer gamma the order added, $M per index point. Null is not zero: `g_null` says why. */
            g: number | null;
            /** @description Why `g` is null: no_side, last_half_hour, no_quote, no_forward, no_spot, arbitrage, expired; more may come. */
            g_null: string | null;
            /** @description Structure of the order: single, vertical, iron_condor, … */
            kind: string;
            /** @description The contracts in words, strikes joined by `/`. */
            legs: string;
            /** @description The legs as data, each [strike, C or P, sign]: 1 bought, -1 sold, 0 undecidable. */
            lg: components["schemas"]["Leg"][];
            /** @description The expiry with most of the order's gamma. */
            exp: string | null;
            /** @description How many times the structure traded. */
            size: number | null;
            /** @description Contracts over all legs. */
            contracts: number | null;
            /** @description Net premium without sign, $M. Null when no combination of bought and sold legs fits. */
            net: number | null;
            /** @description Index points from the flip at that minute, without sign. Null where the dealers' positions do not bound it: `flip_convention` is there beside it. */
            flip: number | null;
            /** @description Whether the index was over or under the flip. */
            side: ("over" | "under") | null;
            /** @description How sure the fold is that these prints are one order. */
            confidence: number | null;
            /**
             * @description What the fold read: trade conditions, or prices, sizes and times alone.
             * @enum {string}
             */
            fold: "conditions" | "prints";
            /** @description Remarks, such as hedged_with_combo, or legs_disagree: the legs alone say another side. */
            flags: string[];
            /**
             * @description Probability that the customer bought the package, which means its first leg,
             *     by published rates of right sides. The first sign in `lg` is 1 from 0.51 on, -1 up to 0.49, else 0
             *     (and 0 near the middle of the quote). For a leg with the opposite sign it is 1 - p. Null: nothing
             *     known.
             */
            p?: number | null;
            /**
             * @description Why the signs in `lg` are 0; null where they are not:
             *     cross, late, not_allowed, orphan_leg, no_pattern, ambiguous, low_confidence, locked, no_quote, stale_quotes, fills_disagree, outside, middle, undecided; more may come.
             */
            sign_null?: string | null;
            /** @description Evidence: the rule by which these prints became one order; the dataset `order_prints` lists them. */
            rule?: string;
            /** @description Evidence: how many prints of the tape the order is made of. */
            prints?: number;
            /** @description Index points from the flip of the convention (dealers long every call of open interest and short every put), without sign: what other services show. */
            flip_convention?: number | null;
            /** @description Whether the index was over or under the convention's flip. */
            side_convention?: ("over" | "under") | null;
        } & {
            [key: string]: unknown;
        };
        /** @description One leg: strike, type, sign. */
        Leg: [
            number,
            "C" | "P",
            -1 | 0 | 1
        ];
        /** @description Counts of the whole session: n = gamma_up + gamma_dn + gamma_flat + no_gamma. */
        Stats: {
            /** @description Orders above the floor. */
            n: number;
            /** @description Sum of their net premiums, $M. */
            net: number;
            /** @description Orders whose side could not be told. */
            no_side: number;
            /** @description Orders without a gamma, those without a side included. */
            no_gamma: number;
            /** @description Orders that added dealer gamma. */
            gamma_up: number;
            /** @description Orders that removed dealer gamma. */
            gamma_dn: number;
            /** @description Orders whose legs cancel to exactly zero gamma. */
            gamma_flat: number;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Which days have a ledger.
         * @example {
         *       "sessions": [
         *         "2026-10-13",
         *         "2026-10-14"
         *       ],
         *       "first": "2026-10-13",
         *       "last": "2026-10-14"
         *     }
         */
        Sessions: {
            /** @description Sessions that have a ledger, oldest first. */
            sessions: components["schemas"]["Day"][];
            /** @description The oldest, or null. */
            first: components["schemas"]["Day"] | null;
            /** @description The newest, or null. */
            last: components["schemas"]["Day"] | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Without `id`.
         * @example {
         *       "positions": [
         *         {
         *           "id": "p_4fQ8sK2mZx0T",
         *           "kind": "condor",
         *           "legs": {
         *             "lp": 5930,
         *             "sp": 5950,
         *             "sc": 6050,
         *             "lc": 6070
         *           },
         *           "entry": "10:30",
         *           "conditions": [
         *             {
         *               "id": "short_dist_em",
         *               "on": true,
         *               "threshold": 1
         *             },
         *             {
         *               "id": "short_dist_pts",
         *               "on": true,
         *               "threshold": 15
         *             },
         *             {
         *               "id": "short_delta",
         *               "on": true,
         *               "threshold": 0.2
         *             },
         *             {
         *               "id": "gamma_negative",
         *               "on": true,
         *               "threshold": 0
         *             },
         *             {
         *               "id": "flip_near",
         *               "on": true,
         *               "threshold": 15
         *             },
         *             {
         *               "id": "under_flip",
         *               "on": true,
         *               "threshold": 0
         *             },
         *             {
         *               "id": "wall_missing",
         *               "on": true,
         *               "threshold": 1
         *             },
         *             {
         *               "id": "order_near_short",
         *               "on": true,
         *               "threshold": 5
         *             },
         *             {
         *               "id": "flow_removes_gamma",
         *               "on": true,
         *               "threshold": 50
         *             },
         *             {
         *               "id": "move_used",
         *               "on": true,
         *               "threshold": 0.7
         *             },
         *             {
         *               "id": "move_15m",
         *               "on": true,
         *               "threshold": 0.35
         *             },
         *             {
         *               "id": "vol_up",
         *               "on": true,
         *               "threshold": 15
         *             },
         *             {
         *               "id": "time_left",
         *               "on": true,
         *               "threshold": 45
         *             },
         *             {
         *               "id": "gap",
         *               "on": true,
         *               "threshold": 0.6
         *             },
         *             {
         *               "id": "skew",
         *               "on": true,
         *               "threshold": 6
         *             }
         *           ],
         *           "label": {
         *             "caution": 3,
         *             "skip": 5
         *           },
         *           "alert": {
         *             "channel": "off",
         *             "url": null,
         *             "before": 30
         *           },
         *           "session": "2026-10-14"
         *         }
         *       ],
         *       "max": 5,
         *       "catalogue": {
         *         "kinds": [
         *           {
         *             "kind": "condor",
         *             "legs": [
         *               "lp",
         *               "sp",
         *               "sc",
         *               "lc"
         *             ]
         *           },
         *           {
         *             "kind": "strangle",
         *             "legs": [
         *               "sp",
         *               "sc"
         *             ]
         *           },
         *           {
         *             "kind": "put_spread",
         *             "legs": [
         *               "lp",
         *               "sp"
         *             ]
         *           },
         *           {
         *             "kind": "call_spread",
         *             "legs": [
         *               "sc",
         *               "lc"
         *             ]
         *           }
         *         ],
         *         "conditions": [
         *           {
         *             "id": "short_dist_em",
         *             "meaning": "distance of the nearest short strike, in remaining expected moves",
         *             "unit": "em",
         *             "on_when": "<",
         *             "default": 1,
         *             "min": 0.25,
         *             "max": 3,
         *             "kinds": [
         *               "condor",
         *               "strangle",
         *               "put_spread",
         *               "call_spread"
         *             ]
         *           },
         *           {
         *             "id": "short_dist_pts",
         *             "meaning": "distance of the nearest short strike, points",
         *             "unit": "pt",
         *             "on_when": "<",
         *             "default": 15,
         *             "min": 0,
         *             "max": 200,
         *             "kinds": [
         *               "condor",
         *               "strangle",
         *               "put_spread",
         *               "call_spread"
         *             ]
         *           },
         *           {
         *             "id": "short_delta",
         *             "meaning": "largest absolute delta of a short strike",
         *             "unit": "delta",
         *             "on_when": ">",
         *             "default": 0.2,
         *             "min": 0.02,
         *             "max": 0.6,
         *             "kinds": [
         *               "condor",
         *               "strangle",
         *               "put_spread",
         *               "call_spread"
         *             ]
         *           },
         *           {
         *             "id": "gamma_negative",
         *             "meaning": "dealer net gamma at spot below minus the threshold",
         *             "unit": "musd_pt",
         *             "on_when": "<-",
         *             "default": 0,
         *             "min": 0,
         *             "max": 5000,
         *             "kinds": [
         *               "condor",
         *               "strangle",
         *               "put_spread",
         *               "call_spread"
         *             ]
         *           },
         *           {
         *             "id": "flip_near",
         *             "meaning": "distance to the flip",
         *             "unit": "pt",
         *             "on_when": "<",
         *             "default": 15,
         *             "min": 0,
         *             "max": 100,
         *             "kinds": [
         *               "condor",
         *               "strangle",
         *               "put_spread",
         *               "call_spread"
         *             ]
         *           },
         *           {
         *             "id": "under_flip",
         *             "meaning": "spot under the flip by at least",
         *             "unit": "pt",
         *             "on_when": ">=",
         *             "default": 0,
         *             "min": 0,
         *             "max": 100,
         *             "kinds": [
         *               "condor",
         *               "strangle",
         *               "put_spread"
         *             ]
         *           },
         *           {
         *             "id": "wall_missing",
         *             "meaning": "short sides with no wall between spot and the short strike",
         *             "unit": "sides",
         *             "on_when": ">=",
         *             "default": 1,
         *             "min": 1,
         *             "max": 2,
         *             "kinds": [
         *               "condor",
         *               "strangle",
         *               "put_spread",
         *               "call_spread"
         *             ]
         *           },
         *           {
         *             "id": "order_near_short",
         *             "meaning": "premium of large orders near a short strike that removed dealer gamma, last 30 min, within 10 points",
         *             "unit": "musd",
         *             "on_when": ">=",
         *             "default": 5,
         *             "min": 0.5,
         *             "max": 100,
         *             "kinds": [
         *               "condor",
         *               "strangle",
         *               "put_spread",
         *               "call_spread"
         *             ]
         *           },
         *           {
         *             "id": "flow_removes_gamma",
         *             "meaning": "net dealer gamma of large orders over the last 60 min at or below minus the threshold",
         *             "unit": "musd_pt",
         *             "on_when": "<=-",
         *             "default": 50,
         *             "min": 1,
         *             "max": 2000,
         *             "kinds": [
         *               "condor",
         *               "strangle",
         *               "put_spread",
         *               "call_spread"
         *             ]
         *           },
         *           {
         *             "id": "move_used",
         *             "meaning": "move from the open over the session expected move",
         *             "unit": "em",
         *             "on_when": ">=",
         *             "default": 0.7,
         *             "min": 0.1,
         *             "max": 2,
         *             "kinds": [
         *               "condor",
         *               "strangle",
         *               "put_spread",
         *               "call_spread"
         *             ]
         *           },
         *           {
         *             "id": "move_15m",
         *             "meaning": "move of the last 15 minutes over the session expected move",
         *             "unit": "em",
         *             "on_when": ">=",
         *             "default": 0.35,
         *             "min": 0.05,
         *             "max": 1.5,
         *             "kinds": [
         *               "condor",
         *               "strangle",
         *               "put_spread",
         *               "call_spread"
         *             ]
         *           },
         *           {
         *             "id": "vol_up",
         *             "meaning": "remaining straddle against its square-root-of-time path since the first minute",
         *             "unit": "pct",
         *             "on_when": ">=",
         *             "default": 15,
         *             "min": 0,
         *             "max": 100,
         *             "kinds": [
         *               "condor",
         *               "strangle",
         *               "put_spread",
         *               "call_spread"
         *             ]
         *           },
         *           {
         *             "id": "time_left",
         *             "meaning": "minutes to the close",
         *             "unit": "min",
         *             "on_when": "<",
         *             "default": 45,
         *             "min": 5,
         *             "max": 385,
         *             "kinds": [
         *               "condor",
         *               "strangle",
         *               "put_spread",
         *               "call_spread"
         *             ]
         *           },
         *           {
         *             "id": "gap",
         *             "meaning": "opening gap",
         *             "unit": "pct",
         *             "on_when": ">=",
         *             "default": 0.6,
         *             "min": 0,
         *             "max": 5,
         *             "kinds": [
         *               "condor",
         *               "strangle",
         *               "put_spread",
         *               "call_spread"
         *             ]
         *           },
         *           {
         *             "id": "skew",
         *             "meaning": "volatility one expected move below minus one above, points",
         *             "unit": "vol_pt",
         *             "on_when": ">=",
         *             "default": 6,
         *             "min": 0,
         *             "max": 50,
         *             "kinds": [
         *               "condor",
         *               "strangle",
         *               "put_spread"
         *             ]
         *           }
         *         ],
         *         "label": {
         *           "caution": 3,
         *           "skip": 5
         *         },
         *         "alert": {
         *           "channel": "off",
         *           "url": null,
         *           "before": 30
         *         }
         *       }
         *     }
         */
        PositionList: {
            /** @description Oldest first. */
            positions: components["schemas"]["Position"][];
            /** @description How many an account may keep. */
            max: number;
            catalogue: components["schemas"]["PositionCatalogue"];
        } & {
            [key: string]: unknown;
        };
        /**
         * @description A short options position that an account keeps.
         * @example {
         *       "id": "p_4fQ8sK2mZx0T",
         *       "kind": "condor",
         *       "legs": {
         *         "lp": 5930,
         *         "sp": 5950,
         *         "sc": 6050,
         *         "lc": 6070
         *       },
         *       "entry": "10:30",
         *       "conditions": [
         *         {
         *           "id": "short_dist_em",
         *           "on": true,
         *           "threshold": 1
         *         },
         *         {
         *           "id": "short_dist_pts",
         *           "on": true,
         *           "threshold": 15
         *         },
         *         {
         *           "id": "short_delta",
         *           "on": true,
         *           "threshold": 0.2
         *         },
         *         {
         *           "id": "gamma_negative",
         *           "on": true,
         *           "threshold": 0
         *         },
         *         {
         *           "id": "flip_near",
         *           "on": true,
         *           "threshold": 15
         *         },
         *         {
         *           "id": "under_flip",
         *           "on": true,
         *           "threshold": 0
         *         },
         *         {
         *           "id": "wall_missing",
         *           "on": true,
         *           "threshold": 1
         *         },
         *         {
         *           "id": "order_near_short",
         *           "on": true,
         *           "threshold": 5
         *         },
         *         {
         *           "id": "flow_removes_gamma",
         *           "on": true,
         *           "threshold": 50
         *         },
         *         {
         *           "id": "move_used",
         *           "on": true,
         *           "threshold": 0.7
         *         },
         *         {
         *           "id": "move_15m",
         *           "on": true,
         *           "threshold": 0.35
         *         },
         *         {
         *           "id": "vol_up",
         *           "on": true,
         *           "threshold": 15
         *         },
         *         {
         *           "id": "time_left",
         *           "on": true,
         *           "threshold": 45
         *         },
         *         {
         *           "id": "gap",
         *           "on": true,
         *           "threshold": 0.6
         *         },
         *         {
         *           "id": "skew",
         *           "on": true,
         *           "threshold": 6
         *         }
         *       ],
         *       "label": {
         *         "caution": 3,
         *         "skip": 5
         *       },
         *       "alert": {
         *         "channel": "off",
         *         "url": null,
         *         "before": 30
         *       },
         *       "session": "2026-10-14"
         *     }
         */
        Position: {
            id: string;
            /** @enum {string} */
            kind: "condor" | "strangle" | "put_spread" | "call_spread";
            legs: components["schemas"]["PositionLegs"];
            /** @description Entry minute, ET. */
            entry: string;
            /** @description Every condition of the kind, in the order of the catalogue. */
            conditions: components["schemas"]["PositionCondition"][];
            label: components["schemas"]["PositionLabel"];
            alert: components["schemas"]["PositionAlert"];
            /** @description Session the strikes were set against; null when none was named. */
            session: components["schemas"]["Day"] | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Strikes, rising: condor lp sp sc lc; strangle sp sc; put_spread lp sp;
         *     call_spread sc lc.
         */
        PositionLegs: {
            /** @description Strike of the long put, index points; absent when the kind has none. */
            lp?: number;
            /** @description Strike of the short put, index points; absent when the kind has none. */
            sp?: number;
            /** @description Strike of the short call, index points; absent when the kind has none. */
            sc?: number;
            /** @description Strike of the long call, index points; absent when the kind has none. */
            lc?: number;
        } & {
            [key: string]: unknown;
        };
        /** @description One condition of a position. */
        PositionCondition: {
            /** @description A condition of the catalogue. */
            id: string;
            /** @description Whether it counts towards the label. */
            on: boolean;
            /** @description Where it switches on, in the condition's unit. */
            threshold: number;
        } & {
            [key: string]: unknown;
        };
        /** @description caution <= skip <= conditions that count. */
        PositionLabel: {
            /** @description Conditions that are on from which: CAUTION. */
            caution: number;
            /** @description Conditions that are on from which: SKIP. */
            skip: number;
        } & {
            [key: string]: unknown;
        };
        /** @description Where alerts of a position go. */
        PositionAlert: {
            /** @enum {string} */
            channel: "telegram" | "email" | "webhook" | "off";
            /** @description Webhook address in its normal form; kept while another channel is chosen. */
            url: string | null;
            /** @description Minutes before the entry at which alerts start. */
            before: number;
            /**
             * @description Of the webhook: off after ten events in a row that failed, until its address is saved again. Absent on other channels.
             * @enum {string}
             */
            state?: "on" | "off";
        } & {
            [key: string]: unknown;
        };
        /** @description What a position can be made of, and what it is made of where an account is silent. */
        PositionCatalogue: {
            /** @description The kinds and the legs of each, their strikes rising. */
            kinds: ({
                /** @enum {string} */
                kind: "condor" | "strangle" | "put_spread" | "call_spread";
                legs: ("lp" | "sp" | "sc" | "lc")[];
            } & {
                [key: string]: unknown;
            })[];
            /** @description Every condition a position can be judged by. */
            conditions: ({
                id: string;
                meaning: string;
                /** @description em expected moves, pt points, musd $M, musd_pt $M per point, … */
                unit: string;
                /** @description How the value is compared: `<-`, `<=-` with minus the threshold. */
                on_when: string;
                /** @description Threshold where an account names none. */
                default: number;
                min: number;
                max: number;
                /** @description Kinds that it judges. */
                kinds: ("condor" | "strangle" | "put_spread" | "call_spread")[];
            } & {
                [key: string]: unknown;
            })[];
            label: components["schemas"]["PositionLabel"];
            alert: components["schemas"]["PositionAlert"];
        } & {
            [key: string]: unknown;
        };
        /**
         * @description With `id`.
         * @example {
         *       "position": {
         *         "id": "p_4fQ8sK2mZx0T",
         *         "kind": "condor",
         *         "legs": {
         *           "lp": 5930,
         *           "sp": 5950,
         *           "sc": 6050,
         *           "lc": 6070
         *         },
         *         "entry": "10:30",
         *         "conditions": [
         *           {
         *             "id": "short_dist_em",
         *             "on": true,
         *             "threshold": 1
         *           },
         *           {
         *             "id": "short_dist_pts",
         *             "on": true,
         *             "threshold": 15
         *           },
         *           {
         *             "id": "short_delta",
         *             "on": true,
         *             "threshold": 0.2
         *           },
         *           {
         *             "id": "gamma_negative",
         *             "on": true,
         *             "threshold": 0
         *           },
         *           {
         *             "id": "flip_near",
         *             "on": true,
         *             "threshold": 15
         *           },
         *           {
         *             "id": "under_flip",
         *             "on": true,
         *             "threshold": 0
         *           },
         *           {
         *             "id": "wall_missing",
         *             "on": true,
         *             "threshold": 1
         *           },
         *           {
         *             "id": "order_near_short",
         *             "on": true,
         *             "threshold": 5
         *           },
         *           {
         *             "id": "flow_removes_gamma",
         *             "on": true,
         *             "threshold": 50
         *           },
         *           {
         *             "id": "move_used",
         *             "on": true,
         *             "threshold": 0.7
         *           },
         *           {
         *             "id": "move_15m",
         *             "on": true,
         *             "threshold": 0.35
         *           },
         *           {
         *             "id": "vol_up",
         *             "on": true,
         *             "threshold": 15
         *           },
         *           {
         *             "id": "time_left",
         *             "on": true,
         *             "threshold": 45
         *           },
         *           {
         *             "id": "gap",
         *             "on": true,
         *             "threshold": 0.6
         *           },
         *           {
         *             "id": "skew",
         *             "on": true,
         *             "threshold": 6
         *           }
         *         ],
         *         "label": {
         *           "caution": 3,
         *           "skip": 5
         *         },
         *         "alert": {
         *           "channel": "off",
         *           "url": null,
         *           "before": 30
         *         },
         *         "session": "2026-10-14"
         *       }
         *     }
         */
        OnePosition: {
            position: components["schemas"]["Position"];
        } & {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "ok": true,
         *       "id": "p_4fQ8sK2mZx0T",
         *       "position": {
         *         "id": "p_4fQ8sK2mZx0T",
         *         "kind": "condor",
         *         "legs": {
         *           "lp": 5930,
         *           "sp": 5950,
         *           "sc": 6050,
         *           "lc": 6070
         *         },
         *         "entry": "10:30",
         *         "conditions": [
         *           {
         *             "id": "short_dist_em",
         *             "on": true,
         *             "threshold": 1
         *           },
         *           {
         *             "id": "short_dist_pts",
         *             "on": true,
         *             "threshold": 15
         *           },
         *           {
         *             "id": "short_delta",
         *             "on": true,
         *             "threshold": 0.2
         *           },
         *           {
         *             "id": "gamma_negative",
         *             "on": true,
         *             "threshold": 0
         *           },
         *           {
         *             "id": "flip_near",
         *             "on": true,
         *             "threshold": 15
         *           },
         *           {
         *             "id": "under_flip",
         *             "on": true,
         *             "threshold": 0
         *           },
         *           {
         *             "id": "wall_missing",
         *             "on": true,
         *             "threshold": 1
         *           },
         *           {
         *             "id": "order_near_short",
         *             "on": true,
         *             "threshold": 5
         *           },
         *           {
         *             "id": "flow_removes_gamma",
         *             "on": true,
         *             "threshold": 50
         *           },
         *           {
         *             "id": "move_used",
         *             "on": true,
         *             "threshold": 0.7
         *           },
         *           {
         *             "id": "move_15m",
         *             "on": true,
         *             "threshold": 0.35
         *           },
         *           {
         *             "id": "vol_up",
         *             "on": true,
         *             "threshold": 15
         *           },
         *           {
         *             "id": "time_left",
         *             "on": true,
         *             "threshold": 45
         *           },
         *           {
         *             "id": "gap",
         *             "on": true,
         *             "threshold": 0.6
         *           },
         *           {
         *             "id": "skew",
         *             "on": true,
         *             "threshold": 6
         *           }
         *         ],
         *         "label": {
         *           "caution": 3,
         *           "skip": 5
         *         },
         *         "alert": {
         *           "channel": "off",
         *           "url": null,
         *           "before": 30
         *         },
         *         "session": "2026-10-14"
         *       }
         *     }
         */
        PositionChanged: {
            /** @constant */
            ok: true;
            /** @description Of the position that was added, changed or removed. */
            id: string;
            /** @description As it is stored now; absent after remove. */
            position?: components["schemas"]["Position"];
        } & {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "day": "2026-10-14",
         *       "t": "13:00",
         *       "live": false,
         *       "checks": [
         *         {
         *           "position_id": "p_4fQ8sK2mZx0T",
         *           "kind": "strangle",
         *           "label": "TRADE",
         *           "counts": {
         *             "on": 0,
         *             "off": 1,
         *             "unknown": 0
         *           },
         *           "label_counts": {
         *             "caution": 1,
         *             "skip": 1
         *           },
         *           "conditions": [
         *             {
         *               "id": "short_dist_pts",
         *               "value": 35.25,
         *               "unit": "pt",
         *               "on_when": "<",
         *               "threshold": 15,
         *               "margin": 20.25,
         *               "state": "off",
         *               "reason": null
         *             }
         *           ],
         *           "nearest_change": {
         *             "label": "SKIP",
         *             "relative": 1.35,
         *             "conditions": [
         *               {
         *                 "id": "short_dist_pts",
         *                 "margin": 20.25,
         *                 "unit": "pt",
         *                 "relative": 1.35
         *               }
         *             ]
         *           },
         *           "levels": {
         *             "flip": {
         *               "points": 5.19,
         *               "points_lo": -5.42,
         *               "points_hi": 16.36,
         *               "reason": null,
         *               "bar_reason": null
         *             },
         *             "call_wall": {
         *               "points": 49.75,
         *               "reason": null
         *             },
         *             "put_wall": {
         *               "points": -25.25,
         *               "reason": null
         *             }
         *           },
         *           "shorts": [
         *             {
         *               "leg": "sp",
         *               "points": 35.25,
         *               "expected_moves": 1.444672131,
         *               "order_count": 1,
         *               "orders": [
         *                 {
         *                   "oid": "20261014-124812345678-1",
         *                   "t": "12:48",
         *                   "kind": "vertical",
         *                   "points": -5,
         *                   "premium": 7.5,
         *                   "gamma": "removed",
         *                   "gamma_null": null
         *                 }
         *               ],
         *               "levels": {
         *                 "flip": {
         *                   "points": 40.44,
         *                   "points_lo": 29.83,
         *                   "points_hi": 51.61,
         *                   "reason": null,
         *                   "bar_reason": null
         *                 },
         *                 "call_wall": {
         *                   "points": 85,
         *                   "reason": null
         *                 },
         *                 "put_wall": {
         *                   "points": 10,
         *                   "reason": null
         *                 }
         *               }
         *             },
         *             {
         *               "leg": "sc",
         *               "points": 39.75,
         *               "expected_moves": 1.629098361,
         *               "order_count": 0,
         *               "orders": [],
         *               "levels": {
         *                 "flip": {
         *                   "points": -34.56,
         *                   "points_lo": -45.17,
         *                   "points_hi": -23.39,
         *                   "reason": null,
         *                   "bar_reason": null
         *                 },
         *                 "call_wall": {
         *                   "points": 10,
         *                   "reason": null
         *                 },
         *                 "put_wall": {
         *                   "points": -65,
         *                   "reason": null
         *                 }
         *               }
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        Checks: {
            day: components["schemas"]["Day"];
            /** @description The minute judged; null: the day has none yet. */
            t: string | null;
            /** @description Whether the day is the session that is open now. */
            live: boolean;
            /** @description One a position, in the order of the list. */
            checks: components["schemas"]["Check"][];
            /** @description Present when the day has no market minute yet. Not an error. */
            note?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description One position judged at one minute, by what was known before it. */
        Check: {
            position_id: string;
            /** @enum {string} */
            kind: "condor" | "strangle" | "put_spread" | "call_spread";
            /** @description Set when there is no label, in words; other positions still answer. */
            error?: string;
            /** @description TRADE, CAUTION or SKIP; null where `error` says why there is none. */
            label: ("TRADE" | "CAUTION" | "SKIP") | null;
            counts: components["schemas"]["CheckCounts"];
            /** @description How many have to be on for CAUTION and for SKIP. */
            label_counts: {
                caution: number;
                skip: number;
            } & {
                [key: string]: unknown;
            };
            /** @description Those with `on` true. */
            conditions: components["schemas"]["CheckCondition"][];
            nearest_change: components["schemas"]["NearestChange"];
            /** @description As they stand from the index; null where `error` says that there is no minute. */
            levels: components["schemas"]["LevelsAround"] | null;
            shorts: components["schemas"]["CheckShort"][];
        } & {
            [key: string]: unknown;
        };
        /** @description How many of the conditions that count are what. */
        CheckCounts: {
            on: number;
            off: number;
            unknown: number;
        } & {
            [key: string]: unknown;
        };
        /** @description A condition that counts, at the minute. */
        CheckCondition: {
            /** @description Of the catalogue. */
            id: string;
            /** @description In `unit`. Null is not zero: `reason` says why it is not known. */
            value: number | null;
            unit: string;
            /** @description How value and threshold compare; `<-`, `<=-`: with minus the threshold. */
            on_when: string;
            threshold: number;
            /** @description How far the value is from where the condition switches, in `unit`. */
            margin: number | null;
            /** @enum {string} */
            state: "on" | "off" | "unknown";
            /** @description Why the value is unknown: inventory_unknown (the dealers' positions are not known), no_spot, no_forward, no_smile, too_early, … */
            reason: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description The conditions that would have to switch least for another label, or null. */
        NearestChange: ({
            /**
             * @description The label there would be.
             * @enum {string}
             */
            label: "TRADE" | "CAUTION" | "SKIP";
            /** @description The largest `relative` of its conditions. */
            relative: number;
            conditions: ({
                id: string;
                /** @description How far its value is from the switch. */
                margin: number;
                unit: string;
                /** @description The margin over the threshold; over the value where that is zero. */
                relative: number;
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        }) | null;
        /** @description Levels of the measured book as they were known before the minute, as distances. */
        LevelsAround: {
            flip: components["schemas"]["FlipDistance"];
            call_wall: components["schemas"]["WallDistance"];
            put_wall: components["schemas"]["WallDistance"];
            /** @description Only of distances from an index that the tape lacks and that follows from the quotes, by put-call parity: one standard deviation of it, index points. */
            spot_error?: number;
        } & {
            [key: string]: unknown;
        };
        /** @description Where net dealer gamma changes its sign. */
        FlipDistance: {
            /** @description The level less the point, index points: above zero where the level is higher. Null is not zero: `reason` says why it is not known. */
            points: number | null;
            /** @description The same to the lower end of its 90 % interval, with no_root of the stretch where a flip is not ruled out; null: see `bar_reason`. */
            points_lo: number | null;
            /** @description To the upper end. */
            points_hi: number | null;
            /** @description Why `points` is null: inventory_unknown (the dealers' positions are not known), no_root (net gamma is zero nowhere near), no_bound, no_calls, no_puts, empty_book, no_forward, no_spot, no_level; more may come. */
            reason: string | null;
            /** @description Why `points_lo` and `points_hi` are null: no_bar (the session was published before there was one), or as `reason`. */
            bar_reason: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description The strike with the most gamma of calls, or of puts. */
        WallDistance: {
            /** @description The level less the point, index points: above zero where the level is higher. Null is not zero: `reason` says why it is not known. */
            points: number | null;
            /** @description Why `points` is null: inventory_unknown (the dealers' positions are not known), no_root (net gamma is zero nowhere near), no_bound, no_calls, no_puts, empty_book, no_forward, no_spot, no_level; more may come. */
            reason: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description One short strike. */
        CheckShort: {
            /**
             * @description The short put, the short call.
             * @enum {string}
             */
            leg: "sp" | "sc";
            /** @description From the index to the strike, index points; below zero beyond the strike. */
            points: number | null;
            /** @description The same over the expected move that remains. */
            expected_moves: number | null;
            /** @description Large orders near it, also those not listed. */
            order_count: number;
            /** @description The ten largest premiums. */
            orders: components["schemas"]["NearOrder"][];
            /** @description As they stand from the strike. */
            levels: components["schemas"]["LevelsAround"];
        } & {
            [key: string]: unknown;
        };
        /** @description A large order of the last hour within 10 points. */
        NearOrder: {
            /** @description The order, as in the ledger. */
            oid: string;
            /** @description ET minute it printed. */
            t: string;
            /** @description Its structure. */
            kind: string;
            /** @description Its nearest strike of the same expiry, less the short strike. */
            points: number;
            /** @description Gross premium, $M. */
            premium: number;
            /** @description What it did to dealer gamma; null: not known, `gamma_null` says why. */
            gamma: ("added" | "removed" | "none") | null;
            gamma_null: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "day": "2026-10-14",
         *       "t": "13:00",
         *       "id": "p_4fQ8sK2mZx0T",
         *       "from": "13:00",
         *       "points": [
         *         {
         *           "t": "13:00",
         *           "label": "TRADE",
         *           "counts": {
         *             "on": 0,
         *             "off": 1,
         *             "unknown": 0
         *           },
         *           "on": [],
         *           "unknown": []
         *         }
         *       ]
         *     }
         */
        Track: {
            day: components["schemas"]["Day"];
            /** @description The last minute. */
            t: string | null;
            id: string;
            /** @description The first minute. */
            from: string | null;
            /** @description One a minute, oldest first. */
            points: components["schemas"]["TrackPoint"][];
            /** @description Present when the day has no market minute yet. Not an error. */
            note?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description The label of one minute. */
        TrackPoint: {
            t: string;
            /** @description Set when there is no label, in words; other positions still answer. */
            error?: string;
            /** @description TRADE, CAUTION or SKIP; null where `error` says why there is none. */
            label: ("TRADE" | "CAUTION" | "SKIP") | null;
            counts: components["schemas"]["CheckCounts"];
            /** @description Conditions that are on. */
            on: string[];
            /** @description Conditions nobody can know. */
            unknown: string[];
        } & {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "id": "p_4fQ8sK2mZx0T",
         *       "entry": "10:30",
         *       "replay": 1,
         *       "base_session": "2026-10-14",
         *       "entries": [
         *         {
         *           "day": "2026-10-13",
         *           "t": "10:30",
         *           "error": "2026-10-13 is not published.",
         *           "label": null,
         *           "counts": {
         *             "on": 0,
         *             "off": 0,
         *             "unknown": 0
         *           },
         *           "conditions": [],
         *           "shorts": [],
         *           "outcome": null,
         *           "outcome_null": "not_judged"
         *         }
         *       ],
         *       "summary": {
         *         "labels": [
         *           {
         *             "label": "TRADE",
         *             "entries": 0,
         *             "held": 0,
         *             "rate": null
         *           },
         *           {
         *             "label": "CAUTION",
         *             "entries": 0,
         *             "held": 0,
         *             "rate": null
         *           },
         *           {
         *             "label": "SKIP",
         *             "entries": 0,
         *             "held": 0,
         *             "rate": null
         *           }
         *         ],
         *         "base": {
         *           "entries": 0,
         *           "held": 0,
         *           "rate": null
         *         },
         *         "difference": null,
         *         "sentence": "Nothing can be said: TRADE and SKIP both need entries with an outcome."
         *       }
         *     }
         */
        EntryLog: {
            id: string;
            entry: string;
            /** @description Sessions asked for. */
            replay: number;
            /**
             * @description Session at whose entry minute the strikes' distances are taken; in every other
             *     session the strikes stand as far from its own index, in whole steps of 5 points.
             */
            base_session: components["schemas"]["Day"] | null;
            note?: string;
            /** @description Every trading day back to the oldest published one, oldest first. */
            entries: components["schemas"]["Entry"][];
            summary: components["schemas"]["EntrySummary"];
        } & {
            [key: string]: unknown;
        };
        /** @description The entry minute of one session. */
        Entry: {
            day: components["schemas"]["Day"];
            t: string;
            /** @description Set when there is no label, in words; other positions still answer. */
            error?: string;
            /** @description TRADE, CAUTION or SKIP; null where `error` says why there is none. */
            label: ("TRADE" | "CAUTION" | "SKIP") | null;
            counts: components["schemas"]["CheckCounts"];
            conditions: components["schemas"]["CheckCondition"][];
            shorts: ({
                /**
                 * @description The short put, the short call.
                 * @enum {string}
                 */
                leg: "sp" | "sc";
                /** @description From the index to the strike, index points; below zero beyond the strike. */
                points: number | null;
                /** @description The same over the expected move that remains. */
                expected_moves: number | null;
            } & {
                [key: string]: unknown;
            })[];
            outcome: components["schemas"]["EntryOutcome"];
            /** @description Why there is none: not_judged, not_finished, or no_close (no index at the PM close). */
            outcome_null: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description What happened after; no label knows any of it. */
        EntryOutcome: ({
            /** @description Whether the index was on the right side of every short strike at the close. */
            held: boolean;
            /** @description Whether it was beyond one at any minute after the entry. */
            touched: boolean;
            /** @description From the index to the nearest short strike at the PM close; below zero beyond. */
            close_points: number;
            /** @description The least of it over all minutes. */
            worst_points: number;
            worst_t: string;
            /** @description From entry to close, without sign. */
            moved_points: number;
            /** @description The same over the expected move that remained at the entry, null without one. */
            moved_over_expected: number | null;
            /** @description Minutes after the entry without an index. */
            missing_minutes: number;
        } & {
            [key: string]: unknown;
        }) | null;
        /** @description How often the short strikes held, by label. */
        EntrySummary: {
            labels: ({
                /** @enum {string} */
                label: "TRADE" | "CAUTION" | "SKIP";
                /** @description Entries with a label and an outcome. */
                entries: number;
                held: number;
                /** @description held / entries; null of none. */
                rate: number | null;
            } & {
                [key: string]: unknown;
            })[];
            /** @description Whatever the label. */
            base: {
                /** @description Entries with a label and an outcome. */
                entries: number;
                held: number;
                /** @description held / entries; null of none. */
                rate: number | null;
            } & {
                [key: string]: unknown;
            };
            /** @description Null where one of the two labels has no entry with an outcome. */
            difference: ({
                /** @description Rate of TRADE less rate of SKIP. */
                value: number;
                /** @description Its standard error, clustered by session. */
                error: number;
                sessions: number;
                t: number | null;
                /** @description Two-sided, by Student's t. */
                p: number | null;
                /** @description Lower end of the 95 % interval. */
                low: number | null;
                high: number | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description What that says, in words. */
            sentence: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description What the account wants to be told of, and all that can be set.
         * @example {
         *       "list": [
         *         {
         *           "type": "flip_cross",
         *           "book": "measured",
         *           "symbol": "SPX",
         *           "on": true,
         *           "confirm": 2,
         *           "margin_points": "auto",
         *           "certain": false
         *         },
         *         {
         *           "type": "wall_break",
         *           "book": "measured",
         *           "symbol": "SPX",
         *           "on": true,
         *           "walls": [
         *             "call_wall",
         *             "put_wall"
         *           ],
         *           "confirm": 2,
         *           "margin_points": 1
         *         },
         *         {
         *           "type": "regime_change",
         *           "book": "measured",
         *           "symbol": "SPX",
         *           "on": true,
         *           "confirm": 2
         *         },
         *         {
         *           "type": "wall_move",
         *           "book": "measured",
         *           "symbol": "SPX",
         *           "on": false,
         *           "walls": [
         *             "call_wall",
         *             "put_wall"
         *           ],
         *           "confirm": 5,
         *           "min_points": 5
         *         },
         *         {
         *           "type": "flip_move",
         *           "book": "measured",
         *           "symbol": "SPX",
         *           "on": false,
         *           "threshold_points": 10,
         *           "confirm": 3
         *         },
         *         {
         *           "type": "level_near",
         *           "book": "measured",
         *           "symbol": "SPX",
         *           "on": false,
         *           "levels": [
         *             "flip",
         *             "call_wall",
         *             "put_wall"
         *           ],
         *           "threshold_points": 5
         *         },
         *         {
         *           "type": "flip_cross",
         *           "book": "volume",
         *           "symbol": "SPX",
         *           "on": false,
         *           "confirm": 2,
         *           "margin_points": "auto",
         *           "certain": false
         *         },
         *         {
         *           "type": "wall_break",
         *           "book": "volume",
         *           "symbol": "SPX",
         *           "on": false,
         *           "walls": [
         *             "call_wall",
         *             "put_wall"
         *           ],
         *           "confirm": 2,
         *           "margin_points": 1
         *         },
         *         {
         *           "type": "regime_change",
         *           "book": "volume",
         *           "symbol": "SPX",
         *           "on": false,
         *           "confirm": 2
         *         },
         *         {
         *           "type": "wall_move",
         *           "book": "volume",
         *           "symbol": "SPX",
         *           "on": false,
         *           "walls": [
         *             "call_wall",
         *             "put_wall"
         *           ],
         *           "confirm": 5,
         *           "min_points": 5
         *         },
         *         {
         *           "type": "flip_move",
         *           "book": "volume",
         *           "symbol": "SPX",
         *           "on": false,
         *           "threshold_points": 10,
         *           "confirm": 3
         *         },
         *         {
         *           "type": "level_near",
         *           "book": "volume",
         *           "symbol": "SPX",
         *           "on": false,
         *           "levels": [
         *             "flip",
         *             "call_wall",
         *             "put_wall"
         *           ],
         *           "threshold_points": 5
         *         },
         *         {
         *           "type": "flip_cross",
         *           "book": "open_interest",
         *           "symbol": "SPX",
         *           "on": false,
         *           "confirm": 2,
         *           "margin_points": "auto",
         *           "certain": false
         *         },
         *         {
         *           "type": "wall_break",
         *           "book": "open_interest",
         *           "symbol": "SPX",
         *           "on": false,
         *           "walls": [
         *             "call_wall",
         *             "put_wall"
         *           ],
         *           "confirm": 2,
         *           "margin_points": 1
         *         },
         *         {
         *           "type": "regime_change",
         *           "book": "open_interest",
         *           "symbol": "SPX",
         *           "on": false,
         *           "confirm": 2
         *         },
         *         {
         *           "type": "wall_move",
         *           "book": "open_interest",
         *           "symbol": "SPX",
         *           "on": false,
         *           "walls": [
         *             "call_wall",
         *             "put_wall"
         *           ],
         *           "confirm": 5,
         *           "min_points": 5
         *         },
         *         {
         *           "type": "flip_move",
         *           "book": "open_interest",
         *           "symbol": "SPX",
         *           "on": false,
         *           "threshold_points": 10,
         *           "confirm": 3
         *         },
         *         {
         *           "type": "level_near",
         *           "book": "open_interest",
         *           "symbol": "SPX",
         *           "on": false,
         *           "levels": [
         *             "flip",
         *             "call_wall",
         *             "put_wall"
         *           ],
         *           "threshold_points": 5
         *         }
         *       ],
         *       "lines": [
         *         {
         *           "id": "l_7Qd2mX0aZ9Ke",
         *           "kind": "level",
         *           "level": "put_wall",
         *           "book": "measured",
         *           "offset": 10,
         *           "mode": "repeat",
         *           "direction": "below",
         *           "note": "near my short put",
         *           "armed": false,
         *           "fired_at": "2026-11-25T10:37:03-05:00"
         *         }
         *       ],
         *       "rules": [
         *         {
         *           "id": "r_5Xk9bT3nW1Lp",
         *           "name": "big verticals",
         *           "on": true,
         *           "kinds": [
         *             "vertical"
         *           ],
         *           "min_premium": 2.5,
         *           "wall": "any",
         *           "wall_within": 15
         *         }
         *       ],
         *       "webhook": null,
         *       "max": {
         *         "lines": 50,
         *         "rules": 20
         *       },
         *       "catalogue": {
         *         "types": [
         *           {
         *             "type": "flip_cross",
         *             "rule": "the index is beyond the flip, on its other side, by `margin_points` or more for `confirm` minutes",
         *             "on_in": [
         *               "measured"
         *             ],
         *             "parameters": [
         *               {
         *                 "name": "confirm",
         *                 "meaning": "how many minutes in a row it must hold",
         *                 "takes": "whole",
         *                 "unit": "min",
         *                 "required": false,
         *                 "default": 2,
         *                 "min": 1,
         *                 "max": 15
         *               },
         *               {
         *                 "name": "margin_points",
         *                 "meaning": "how far beyond the flip; `auto` is an eighth of the width of its interval, 1 to 5 points; 5 without one",
         *                 "takes": "number",
         *                 "unit": "pt",
         *                 "required": false,
         *                 "default": "auto",
         *                 "min": 0,
         *                 "max": 50,
         *                 "values": [
         *                   "auto"
         *                 ]
         *               },
         *               {
         *                 "name": "certain",
         *                 "meaning": "only when the index is beyond the whole interval; in the book `measured` alone",
         *                 "takes": "yes_no",
         *                 "unit": null,
         *                 "required": false,
         *                 "default": false
         *               }
         *             ]
         *           },
         *           {
         *             "type": "wall_break",
         *             "rule": "the index is `margin_points` or more above the call wall, or below the put wall, for `confirm` minutes in which the wall stays where it is",
         *             "on_in": [
         *               "measured"
         *             ],
         *             "parameters": [
         *               {
         *                 "name": "walls",
         *                 "meaning": "which walls",
         *                 "takes": "choices",
         *                 "unit": null,
         *                 "required": false,
         *                 "default": [
         *                   "call_wall",
         *                   "put_wall"
         *                 ],
         *                 "values": [
         *                   "call_wall",
         *                   "put_wall"
         *                 ]
         *               },
         *               {
         *                 "name": "confirm",
         *                 "meaning": "how many minutes in a row it must hold",
         *                 "takes": "whole",
         *                 "unit": "min",
         *                 "required": false,
         *                 "default": 2,
         *                 "min": 1,
         *                 "max": 15
         *               },
         *               {
         *                 "name": "margin_points",
         *                 "meaning": "how far beyond the wall",
         *                 "takes": "number",
         *                 "unit": "pt",
         *                 "required": false,
         *                 "default": 1,
         *                 "min": 0,
         *                 "max": 20
         *               }
         *             ]
         *           },
         *           {
         *             "type": "regime_change",
         *             "rule": "the dealers' net gamma has the other sign for `confirm` minutes, and is at least 5 % of the day's largest so far",
         *             "on_in": [
         *               "measured"
         *             ],
         *             "parameters": [
         *               {
         *                 "name": "confirm",
         *                 "meaning": "how many minutes in a row it must hold",
         *                 "takes": "whole",
         *                 "unit": "min",
         *                 "required": false,
         *                 "default": 2,
         *                 "min": 1,
         *                 "max": 15
         *               }
         *             ]
         *           },
         *           {
         *             "type": "wall_move",
         *             "rule": "a wall stands `min_points` or more from where it was last told, at the same strike for `confirm` minutes",
         *             "on_in": [],
         *             "parameters": [
         *               {
         *                 "name": "walls",
         *                 "meaning": "which walls",
         *                 "takes": "choices",
         *                 "unit": null,
         *                 "required": false,
         *                 "default": [
         *                   "call_wall",
         *                   "put_wall"
         *                 ],
         *                 "values": [
         *                   "call_wall",
         *                   "put_wall"
         *                 ]
         *               },
         *               {
         *                 "name": "confirm",
         *                 "meaning": "how many minutes in a row it must hold",
         *                 "takes": "whole",
         *                 "unit": "min",
         *                 "required": false,
         *                 "default": 5,
         *                 "min": 1,
         *                 "max": 15
         *               },
         *               {
         *                 "name": "min_points",
         *                 "meaning": "the smallest move that counts",
         *                 "takes": "number",
         *                 "unit": "pt",
         *                 "required": false,
         *                 "default": 5,
         *                 "min": 5,
         *                 "max": 100
         *               }
         *             ]
         *           },
         *           {
         *             "type": "flip_move",
         *             "rule": "the flip is `threshold_points` or more from where it was last told, for `confirm` minutes",
         *             "on_in": [],
         *             "parameters": [
         *               {
         *                 "name": "threshold_points",
         *                 "meaning": "the smallest move that counts",
         *                 "takes": "number",
         *                 "unit": "pt",
         *                 "required": false,
         *                 "default": 10,
         *                 "min": 1,
         *                 "max": 200
         *               },
         *               {
         *                 "name": "confirm",
         *                 "meaning": "how many minutes in a row it must hold",
         *                 "takes": "whole",
         *                 "unit": "min",
         *                 "required": false,
         *                 "default": 3,
         *                 "min": 1,
         *                 "max": 15
         *               }
         *             ]
         *           },
         *           {
         *             "type": "level_near",
         *             "rule": "the index comes within `threshold_points` of a level; told again once it was twice as far away",
         *             "on_in": [],
         *             "parameters": [
         *               {
         *                 "name": "levels",
         *                 "meaning": "which levels",
         *                 "takes": "choices",
         *                 "unit": null,
         *                 "required": false,
         *                 "default": [
         *                   "flip",
         *                   "call_wall",
         *                   "put_wall"
         *                 ],
         *                 "values": [
         *                   "flip",
         *                   "call_wall",
         *                   "put_wall"
         *                 ]
         *               },
         *               {
         *                 "name": "threshold_points",
         *                 "meaning": "how near",
         *                 "takes": "number",
         *                 "unit": "pt",
         *                 "required": false,
         *                 "default": 5,
         *                 "min": 1,
         *                 "max": 50
         *               }
         *             ]
         *           }
         *         ],
         *         "entry": [
         *           {
         *             "name": "type",
         *             "meaning": "which event",
         *             "takes": "choice",
         *             "unit": null,
         *             "required": true,
         *             "default": null,
         *             "values": [
         *               "flip_cross",
         *               "wall_break",
         *               "regime_change",
         *               "wall_move",
         *               "flip_move",
         *               "level_near"
         *             ]
         *           },
         *           {
         *             "name": "book",
         *             "meaning": "whose levels: the measured book, or one made of volume or of open interest",
         *             "takes": "choice",
         *             "unit": null,
         *             "required": false,
         *             "default": "measured",
         *             "values": [
         *               "measured",
         *               "volume",
         *               "open_interest"
         *             ]
         *           },
         *           {
         *             "name": "symbol",
         *             "meaning": "the index",
         *             "takes": "choice",
         *             "unit": null,
         *             "required": false,
         *             "default": "SPX",
         *             "values": [
         *               "SPX"
         *             ]
         *           },
         *           {
         *             "name": "on",
         *             "meaning": "whether it is sent; where an account says nothing, as `on_in` of the type says",
         *             "takes": "yes_no",
         *             "unit": null,
         *             "required": false,
         *             "default": null
         *           }
         *         ],
         *         "line": [
         *           {
         *             "name": "kind",
         *             "meaning": "at a price, or at a level wherever that goes",
         *             "takes": "choice",
         *             "unit": null,
         *             "required": true,
         *             "default": null,
         *             "values": [
         *               "price",
         *               "level"
         *             ]
         *           },
         *           {
         *             "name": "price",
         *             "meaning": "of kind `price`: where the line is",
         *             "takes": "number",
         *             "unit": "pt",
         *             "required": false,
         *             "default": null,
         *             "min": 1,
         *             "max": 100000
         *           },
         *           {
         *             "name": "level",
         *             "meaning": "of kind `level`: which level it follows",
         *             "takes": "choice",
         *             "unit": null,
         *             "required": false,
         *             "default": null,
         *             "values": [
         *               "flip",
         *               "call_wall",
         *               "put_wall"
         *             ]
         *           },
         *           {
         *             "name": "book",
         *             "meaning": "of kind `level`: whose level",
         *             "takes": "choice",
         *             "unit": null,
         *             "required": false,
         *             "default": "measured",
         *             "values": [
         *               "measured",
         *               "volume",
         *               "open_interest"
         *             ]
         *           },
         *           {
         *             "name": "offset",
         *             "meaning": "of kind `level`: how far above the level, below zero under it",
         *             "takes": "number",
         *             "unit": "pt",
         *             "required": false,
         *             "default": 0,
         *             "min": -100,
         *             "max": 100
         *           },
         *           {
         *             "name": "mode",
         *             "meaning": "`once`: it fires and is then off; `repeat`: again once the index was 2 points away",
         *             "takes": "choice",
         *             "unit": null,
         *             "required": false,
         *             "default": "once",
         *             "values": [
         *               "once",
         *               "repeat"
         *             ]
         *           },
         *           {
         *             "name": "direction",
         *             "meaning": "to which side of the line the index has to come",
         *             "takes": "choice",
         *             "unit": null,
         *             "required": false,
         *             "default": "any",
         *             "values": [
         *               "any",
         *               "above",
         *               "below"
         *             ]
         *           },
         *           {
         *             "name": "note",
         *             "meaning": "a word of yours",
         *             "takes": "text",
         *             "unit": null,
         *             "required": false,
         *             "default": null,
         *             "min": 1,
         *             "max": 120
         *           }
         *         ],
         *         "rule": [
         *           {
         *             "name": "name",
         *             "meaning": "how it is called in events",
         *             "takes": "text",
         *             "unit": null,
         *             "required": true,
         *             "default": null,
         *             "min": 1,
         *             "max": 60
         *           },
         *           {
         *             "name": "on",
         *             "meaning": "whether it is sent",
         *             "takes": "yes_no",
         *             "unit": null,
         *             "required": false,
         *             "default": true
         *           },
         *           {
         *             "name": "kinds",
         *             "meaning": "the structure is one of these",
         *             "takes": "choices",
         *             "unit": null,
         *             "required": false,
         *             "default": null,
         *             "values": [
         *               "single",
         *               "vertical",
         *               "ratio_spread",
         *               "calendar",
         *               "ratio_calendar",
         *               "diagonal",
         *               "ratio_diagonal",
         *               "straddle",
         *               "ratio_straddle",
         *               "strangle",
         *               "ratio_strangle",
         *               "guts",
         *               "synthetic",
         *               "risk_reversal",
         *               "ratio_risk_reversal",
         *               "butterfly",
         *               "broken_wing_butterfly",
         *               "christmas_tree",
         *               "ladder",
         *               "three_way",
         *               "condor",
         *               "broken_wing_condor",
         *               "iron_condor",
         *               "iron_butterfly",
         *               "double_vertical",
         *               "box",
         *               "jelly_roll",
         *               "vertical_roll",
         *               "double_calendar",
         *               "double_diagonal",
         *               "custom"
         *             ]
         *           },
         *           {
         *             "name": "min_premium",
         *             "meaning": "the gross premium is at least this",
         *             "takes": "number",
         *             "unit": "musd",
         *             "required": false,
         *             "default": null,
         *             "min": 0,
         *             "max": 10000
         *           },
         *           {
         *             "name": "min_net",
         *             "meaning": "the net premium is at least this, paid or received",
         *             "takes": "number",
         *             "unit": "musd",
         *             "required": false,
         *             "default": null,
         *             "min": 0,
         *             "max": 10000
         *           },
         *           {
         *             "name": "min_size",
         *             "meaning": "the structure traded at least so many times",
         *             "takes": "whole",
         *             "unit": "count",
         *             "required": false,
         *             "default": null,
         *             "min": 1,
         *             "max": 10000000
         *           },
         *           {
         *             "name": "gamma",
         *             "meaning": "it adds dealer gamma, or removes it",
         *             "takes": "choice",
         *             "unit": null,
         *             "required": false,
         *             "default": null,
         *             "values": [
         *               "adds",
         *               "removes"
         *             ]
         *           },
         *           {
         *             "name": "min_gamma",
         *             "meaning": "its dealer gamma is at least this, either way",
         *             "takes": "number",
         *             "unit": "musd_pt",
         *             "required": false,
         *             "default": null,
         *             "min": 0,
         *             "max": 100000
         *           },
         *           {
         *             "name": "dte_min",
         *             "meaning": "its expiry is at least so many days away; 0 is today",
         *             "takes": "whole",
         *             "unit": "days",
         *             "required": false,
         *             "default": null,
         *             "min": 0,
         *             "max": 5000
         *           },
         *           {
         *             "name": "dte_max",
         *             "meaning": "its expiry is at most so many days away",
         *             "takes": "whole",
         *             "unit": "days",
         *             "required": false,
         *             "default": null,
         *             "min": 0,
         *             "max": 5000
         *           },
         *           {
         *             "name": "flip_within",
         *             "meaning": "the index is at most so far from the flip at its minute",
         *             "takes": "number",
         *             "unit": "pt",
         *             "required": false,
         *             "default": null,
         *             "min": 0,
         *             "max": 1000
         *           },
         *           {
         *             "name": "flip_is",
         *             "meaning": "the index is over or under the flip at its minute",
         *             "takes": "choice",
         *             "unit": null,
         *             "required": false,
         *             "default": null,
         *             "values": [
         *               "over",
         *               "under"
         *             ]
         *           },
         *           {
         *             "name": "wall",
         *             "meaning": "which wall `wall_within` is of; `any` where it is left out",
         *             "takes": "choice",
         *             "unit": null,
         *             "required": false,
         *             "default": null,
         *             "values": [
         *               "call_wall",
         *               "put_wall",
         *               "any"
         *             ]
         *           },
         *           {
         *             "name": "wall_within",
         *             "meaning": "the index is at most so far from the wall at its minute",
         *             "takes": "number",
         *             "unit": "pt",
         *             "required": false,
         *             "default": null,
         *             "min": 0,
         *             "max": 1000
         *           },
         *           {
         *             "name": "from_t",
         *             "meaning": "its minute is this one or later",
         *             "takes": "minute",
         *             "unit": "ET",
         *             "required": false,
         *             "default": null,
         *             "min": "09:30",
         *             "max": "16:15"
         *           },
         *           {
         *             "name": "to_t",
         *             "meaning": "its minute is this one or earlier",
         *             "takes": "minute",
         *             "unit": "ET",
         *             "required": false,
         *             "default": null,
         *             "min": "09:30",
         *             "max": "16:15"
         *           },
         *           {
         *             "name": "min_confidence",
         *             "meaning": "the fold is at least so sure that it is one order",
         *             "takes": "number",
         *             "unit": null,
         *             "required": false,
         *             "default": null,
         *             "min": 0,
         *             "max": 1
         *           }
         *         ]
         *       }
         *     }
         */
        Alerts: {
            /** @description Every type of every book; `on` says what is told. */
            list: components["schemas"]["AlertEntry"][];
            /** @description Oldest first. */
            lines: components["schemas"]["AlertLine"][];
            /** @description Oldest first. */
            rules: components["schemas"]["AlertRule"][];
            /** @description Null where no address is saved. */
            webhook: components["schemas"]["AlertWebhook"] | null;
            /** @description How many an account may keep. */
            max: {
                lines: number;
                rules: number;
            } & {
                [key: string]: unknown;
            };
            catalogue: components["schemas"]["AlertCatalogue"];
        } & {
            [key: string]: unknown;
        };
        /**
         * @description An entry of the list, with every parameter of its type.
         * @example {
         *       "type": "flip_cross",
         *       "book": "measured",
         *       "symbol": "SPX",
         *       "on": true,
         *       "confirm": 2,
         *       "margin_points": "auto",
         *       "certain": false
         *     }
         */
        AlertEntry: ({
            /** @constant */
            type: "flip_cross";
            /** @enum {string} */
            book: "measured" | "volume" | "open_interest";
            /** @constant */
            symbol: "SPX";
            /** @description Whether it is told. */
            on: boolean;
            /** @description how many minutes in a row it must hold. */
            confirm: number;
            /** @description how far beyond the flip; `auto` is an eighth of the width of its interval, 1 to 5 points; 5 without one. */
            margin_points: number | "auto";
            /** @description only when the index is beyond the whole interval; in the book `measured` alone. */
            certain: boolean;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "wall_break";
            /** @enum {string} */
            book: "measured" | "volume" | "open_interest";
            /** @constant */
            symbol: "SPX";
            /** @description Whether it is told. */
            on: boolean;
            /** @description which walls. */
            walls: ("call_wall" | "put_wall")[];
            /** @description how many minutes in a row it must hold. */
            confirm: number;
            /** @description how far beyond the wall. */
            margin_points: number;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "regime_change";
            /** @enum {string} */
            book: "measured" | "volume" | "open_interest";
            /** @constant */
            symbol: "SPX";
            /** @description Whether it is told. */
            on: boolean;
            /** @description how many minutes in a row it must hold. */
            confirm: number;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "wall_move";
            /** @enum {string} */
            book: "measured" | "volume" | "open_interest";
            /** @constant */
            symbol: "SPX";
            /** @description Whether it is told. */
            on: boolean;
            /** @description which walls. */
            walls: ("call_wall" | "put_wall")[];
            /** @description how many minutes in a row it must hold. */
            confirm: number;
            /** @description the smallest move that counts. */
            min_points: number;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "flip_move";
            /** @enum {string} */
            book: "measured" | "volume" | "open_interest";
            /** @constant */
            symbol: "SPX";
            /** @description Whether it is told. */
            on: boolean;
            /** @description the smallest move that counts. */
            threshold_points: number;
            /** @description how many minutes in a row it must hold. */
            confirm: number;
        } & {
            [key: string]: unknown;
        }) | ({
            /** @constant */
            type: "level_near";
            /** @enum {string} */
            book: "measured" | "volume" | "open_interest";
            /** @constant */
            symbol: "SPX";
            /** @description Whether it is told. */
            on: boolean;
            /** @description which levels. */
            levels: ("flip" | "call_wall" | "put_wall")[];
            /** @description how near. */
            threshold_points: number;
        } & {
            [key: string]: unknown;
        });
        /**
         * @description A line at a price, or at a level and so many points from it.
         * @example {
         *       "id": "l_7Qd2mX0aZ9Ke",
         *       "kind": "level",
         *       "level": "put_wall",
         *       "book": "measured",
         *       "offset": 10,
         *       "mode": "repeat",
         *       "direction": "below",
         *       "note": "near my short put",
         *       "armed": false,
         *       "fired_at": "2026-11-25T10:37:03-05:00"
         *     }
         */
        AlertLine: {
            id: string;
            /**
             * @description at a price, or at a level wherever that goes.
             * @enum {string}
             */
            kind: "price" | "level";
            /** @description of kind `price`: where the line is. */
            price?: number;
            /**
             * @description of kind `level`: which level it follows.
             * @enum {string}
             */
            level?: "flip" | "call_wall" | "put_wall";
            /**
             * @description of kind `level`: whose level.
             * @enum {string}
             */
            book?: "measured" | "volume" | "open_interest";
            /** @description of kind `level`: how far above the level, below zero under it. */
            offset?: number;
            /**
             * @description `once`: it fires and is then off; `repeat`: again once the index was 2 points away.
             * @enum {string}
             */
            mode: "once" | "repeat";
            /**
             * @description to which side of the line the index has to come.
             * @enum {string}
             */
            direction: "any" | "above" | "below";
            /** @description a word of yours. */
            note: string | null;
            /** @description Whether it waits for its price. */
            armed: boolean;
            /** @description When it last fired, ISO 8601 in New York time; null when it has not. */
            fired_at: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Which orders are told: those that every condition holds of. What is absent holds of any; what cannot be known of an order never matches.
         * @example {
         *       "id": "r_5Xk9bT3nW1Lp",
         *       "name": "big verticals",
         *       "on": true,
         *       "kinds": [
         *         "vertical"
         *       ],
         *       "min_premium": 2.5,
         *       "wall": "any",
         *       "wall_within": 15
         *     }
         */
        AlertRule: {
            id: string;
            /** @description how it is called in events. */
            name: string;
            /** @description whether it is sent. */
            on: boolean;
            /** @description the structure is one of these. */
            kinds?: string[];
            /** @description the gross premium is at least this. */
            min_premium?: number;
            /** @description the net premium is at least this, paid or received. */
            min_net?: number;
            /** @description the structure traded at least so many times. */
            min_size?: number;
            /**
             * @description it adds dealer gamma, or removes it.
             * @enum {string}
             */
            gamma?: "adds" | "removes";
            /** @description its dealer gamma is at least this, either way. */
            min_gamma?: number;
            /** @description its expiry is at least so many days away; 0 is today. */
            dte_min?: number;
            /** @description its expiry is at most so many days away. */
            dte_max?: number;
            /** @description the index is at most so far from the flip at its minute. */
            flip_within?: number;
            /**
             * @description the index is over or under the flip at its minute.
             * @enum {string}
             */
            flip_is?: "over" | "under";
            /**
             * @description which wall `wall_within` is of; `any` where it is left out.
             * @enum {string}
             */
            wall?: "call_wall" | "put_wall" | "any";
            /** @description the index is at most so far from the wall at its minute. */
            wall_within?: number;
            /** @description its minute is this one or later. */
            from_t?: string;
            /** @description its minute is this one or earlier. */
            to_t?: string;
            /** @description the fold is at least so sure that it is one order. */
            min_confidence?: number;
        } & {
            [key: string]: unknown;
        };
        /** @description Where events go; its address is not told. */
        AlertWebhook: {
            /** @enum {string} */
            state: "on" | "off";
            /** @description Why it is off; null while it is on. */
            reason: string | null;
            /** @description Ten switch it off. */
            failed_in_a_row: number;
            /** @description Since when, ISO 8601 in New York time. */
            since: string;
        } & {
            [key: string]: unknown;
        };
        /** @description All that can be set, with units and ranges. */
        AlertCatalogue: {
            /** @description Every event of levels. */
            types: ({
                /** @enum {string} */
                type: "flip_cross" | "wall_break" | "regime_change" | "wall_move" | "flip_move" | "level_near";
                /** @description When it fires, in words. */
                rule: string;
                /** @description Books in which it is on where an account has set nothing. */
                on_in: ("measured" | "volume" | "open_interest")[];
                parameters: components["schemas"]["AlertField"][];
            } & {
                [key: string]: unknown;
            })[];
            /** @description Fields of every entry. */
            entry: components["schemas"]["AlertField"][];
            /** @description Fields of a line. */
            line: components["schemas"]["AlertField"][];
            /** @description Fields of a rule. */
            rule: components["schemas"]["AlertField"][];
        } & {
            [key: string]: unknown;
        };
        /** @description A field that can be set. */
        AlertField: {
            name: string;
            meaning: string;
            /** @description number, whole, yes_no, choice, choices (a list), text or minute. */
            takes: string;
            /** @description pt index points, min minutes, musd $M, musd_pt $M per point, days, count, ET. */
            unit: string | null;
            /** @description Whether a new one has to name it. */
            required: boolean;
            /** @description Where an account says nothing; null: none. */
            default: (number | string | boolean | string[]) | null;
            /** @description Of a number or minute; of a text the fewest characters. */
            min?: number | string;
            max?: number | string;
            /** @description Of choices; beside a number, what may stand for one. */
            values?: string[];
        } & {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "ok": true,
         *       "id": "r_5Xk9bT3nW1Lp",
         *       "rule": {
         *         "id": "r_5Xk9bT3nW1Lp",
         *         "name": "big verticals",
         *         "on": true,
         *         "kinds": [
         *           "vertical"
         *         ],
         *         "min_premium": 2.5,
         *         "wall": "any",
         *         "wall_within": 15
         *       }
         *     }
         */
        AlertsChanged: {
            /** @constant */
            ok: true;
            /** @description Of the line, the rule or the event; absent after set. */
            id?: string;
            /** @description As it is now; after set. */
            entry?: components["schemas"]["AlertEntry"];
            /** @description As it is now; absent after remove. */
            line?: components["schemas"]["AlertLine"];
            /** @description As it is now; absent after remove. */
            rule?: components["schemas"]["AlertRule"];
        } & {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "events": [
         *         {
         *           "seq": 4711,
         *           "queued_at": "2026-11-25T10:37:03-05:00",
         *           "body": {
         *             "version": 1,
         *             "id": "evt_9f2c4e7a1b3d5f60718293a4b5c6d7e8",
         *             "type": "flip_cross",
         *             "symbol": "SPX",
         *             "level": {
         *               "kind": "flip",
         *               "value": 5998.76
         *             },
         *             "price": 5994.1,
         *             "book": "measured",
         *             "ts": "2026-11-25T10:37:03-05:00",
         *             "day": "2026-11-25",
         *             "minute": "10:37",
         *             "levels": {
         *               "flip": 5998.76,
         *               "call_wall": 6050,
         *               "put_wall": 5950,
         *               "put_support": 5950
         *             },
         *             "text": "SPX 5,994.10 is below the measured flip 5,998.76 at 10:37 ET.",
         *             "direction": "below",
         *             "flip_lo": 5991.2,
         *             "flip_hi": 6006.4,
         *             "within_bar": true
         *           }
         *         }
         *       ],
         *       "last": 4711,
         *       "more": false
         *     }
         */
        AlertEvents: {
            /** @description Oldest first. */
            events: components["schemas"]["AlertEvent"][];
            /** @description Give it as `after` to get those behind these. */
            last: number;
            /** @description Whether there are more by now. */
            more: boolean;
        } & {
            [key: string]: unknown;
        };
        /** @description What the account was told. */
        AlertEvent: {
            /** @description Rises in the order in which events can be read. */
            seq: number;
            /** @description When it was found or asked for, ISO 8601 in New York time. */
            queued_at: string;
            /** @description What is sent to a webhook: see `webhooks`. Whole, also where there is no webhook. */
            body: components["schemas"]["AlertBody"] | components["schemas"]["PositionBody"];
        } & {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "deliveries": [
         *         {
         *           "delivery": 902,
         *           "event": "evt_9f2c4e7a1b3d5f60718293a4b5c6d7e8",
         *           "type": "flip_cross",
         *           "position": null,
         *           "channel": "webhook",
         *           "state": "sent",
         *           "reason": null,
         *           "queued_at": "2026-11-25T10:37:03-05:00",
         *           "next_try_at": null,
         *           "ended_at": "2026-11-25T10:37:05-05:00",
         *           "attempts": [
         *             {
         *               "number": 1,
         *               "started": "2026-11-25T10:37:03-05:00",
         *               "result": "retry",
         *               "ms": 41,
         *               "status": 503,
         *               "error": null,
         *               "address": "203.0.113.7"
         *             },
         *             {
         *               "number": 2,
         *               "started": "2026-11-25T10:37:04-05:00",
         *               "result": "sent",
         *               "ms": 38,
         *               "status": 204,
         *               "error": null,
         *               "address": "203.0.113.7"
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        AlertDeliveries: {
            /** @description Newest first. */
            deliveries: components["schemas"]["AlertDelivery"][];
        } & {
            [key: string]: unknown;
        };
        /** @description An event on its way to one place. */
        AlertDelivery: {
            /** @description Its number; `before` takes it. */
            delivery: number;
            /** @description Id of the event. */
            event: string;
            /** @description Type of the event. */
            type: string;
            /** @description Whose event it is; null: alerts. */
            position: string | null;
            /** @enum {string} */
            channel: "webhook" | "email" | "telegram";
            /** @enum {string} */
            state: "waiting" | "trying" | "sent" | "failed" | "dropped";
            /** @description Why it was dropped: `rate` over 30 in a minute, `off` the webhook is, `late` over 300 s, `removed`, `no_contact`, `no_secret`, `interrupted`. */
            reason: string | null;
            /** @description When it was queued, ISO 8601 in New York time. */
            queued_at: string;
            /** @description Null unless it waits. */
            next_try_at: string | null;
            /** @description Null until it has ended. */
            ended_at: string | null;
            /** @description Oldest first. */
            attempts: components["schemas"]["AlertAttempt"][];
        } & {
            [key: string]: unknown;
        };
        /** @description One try to deliver an event. */
        AlertAttempt: {
            number: number;
            /** @description When it began, ISO 8601 in New York time. */
            started: string;
            /**
             * @description `retry`: no answer in time, a 429 or a 5xx. `unknown`: it is under way, or its end was never written.
             * @enum {string}
             */
            result: "unknown" | "sent" | "retry" | "failed";
            /** @description Until the answer began; null: none is known. */
            ms: number | null;
            /** @description Status of the answer; null: there was none. */
            status: number | null;
            /** @description Why there was no answer, such as `timeout`, `dns`, `tls`, `connection` and `refused_address`; of Telegram also what it said: `moved`, `no_chat`, `no_rights`. */
            error: string | null;
            /** @description IP address that was dialled. */
            address: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description The levels of one or several symbols at a minute.
         * @example {
         *       "day": "2026-10-15",
         *       "time": "11:14",
         *       "live": true,
         *       "book": "measured",
         *       "simulated": true,
         *       "next_update_at": "2026-10-15T15:15:03Z",
         *       "symbols": [
         *         {
         *           "sym": "SPX",
         *           "source": "measured",
         *           "spot": 5902.19,
         *           "spot_source": "index",
         *           "spot_error": null,
         *           "flip": 5995.93,
         *           "flip_lo": 5985.32,
         *           "flip_hi": 6007.1,
         *           "flip_roots": [
         *             5995.93
         *           ],
         *           "call_wall": 6000,
         *           "put_wall": 6000,
         *           "net_gamma": -857.4131,
         *           "regime": "negative",
         *           "p_positive": 0.014,
         *           "net_gamma_deviation": 389.2201,
         *           "expected_move": 45.74,
         *           "session_move": 53.83,
         *           "expected_move_reason": null,
         *           "measured_share": 0.949,
         *           "sessions_carried": 41,
         *           "reason": null,
         *           "gamma_reason": null,
         *           "gex": [
         *             {
         *               "strike": 6000,
         *               "call": 401.2,
         *               "put": -912.7,
         *               "net": -511.5
         *             }
         *           ],
         *           "gex_reason": null
         *         },
         *         {
         *           "sym": "ES",
         *           "error": {
         *             "code": "no_basis",
         *             "message": "no basis.",
         *             "next_update_s": 60
         *           }
         *         }
         *       ]
         *     }
         */
        Levels: {
            /** @description ET trading day; null while nothing is published. */
            day: components["schemas"]["Day"] | null;
            /** @description State minute, ET: what was known before HH:MM:00. Null without a reading. */
            time: string | null;
            /** @description True of the newest state of a running session, asked for without `time`. */
            live: boolean;
            /**
             * @description The dealer book: measured (inventory and today's flow), vol (flow), oi (open interest by the convention: calls long, puts short).
             * @enum {string}
             */
            book: "measured" | "vol" | "oi";
            /** @description True when the tape was made by the simulator. */
            simulated: boolean;
            /** @description When the next state is due, UTC. Null for a given `day` or `time`, and when today's states are overdue. */
            next_update_at: string | null;
            /** @description Each symbol in the order asked for: its levels, or `sym` and its own `error`. */
            symbols: (components["schemas"]["SymbolLevels"] | components["schemas"]["SymbolError"])[];
        } & {
            [key: string]: unknown;
        };
        /** @description The levels of one symbol. */
        SymbolLevels: {
            /** @description The symbol, in capitals. */
            sym: string;
            /** @description The book, or what the levels follow from. */
            source: string;
            /** @description Only of a future: the contract it stands for. */
            contract?: string;
            /** @description Only of a future: points above the index, added to every level. */
            basis?: number;
            /** @description The index, in points of the symbol. */
            spot: number | null;
            /** @description Where the index is from: `index`, the tape, or `parity`, the forwards of its options. Null where `spot` is. */
            spot_source?: ("index" | "parity") | null;
            /** @description One standard deviation of an index by parity, points; null of any other. */
            spot_error?: number | null;
            /** @description Where net dealer gamma is zero, nearest to the index. */
            flip: number | null;
            /** @description Lower end of the 90 % interval of the flip; with no_root the stretch where none is ruled out. */
            flip_lo: number | null;
            /** @description Upper end of the interval. The convention, oi, has none. */
            flip_hi: number | null;
            /** @description At most the 12 roots nearest, rising. */
            flip_roots: number[];
            /** @description Strike with the most gamma of calls. */
            call_wall: number | null;
            /** @description Strike with the most gamma of puts. */
            put_wall: number | null;
            /** @description Net dealer gamma at the index, $M per point of SPX. */
            net_gamma: number | null;
            /** @description Sign of the net gamma at the index: negative speeds the market up. Null with inventory_unknown. */
            regime: ("positive" | "negative") | null;
            /** @description Probability that the net gamma is positive; null of the convention, oi. */
            p_positive?: number | null;
            /** @description One standard deviation of the net gamma, $M per point of SPX. */
            net_gamma_deviation?: number | null;
            /** @description What remains of the expected move, points. */
            expected_move: number | null;
            /** @description The same as it was at 09:31. */
            session_move: number | null;
            /** @description Why the two moves are null. */
            expected_move_reason: string | null;
            /** @description Part of open interest's gamma of which the dealers' side is measured, 0 to 1. */
            measured_share: number | null;
            /** @description Sessions in a row whose flow the inventory at the open holds. */
            sessions_carried?: number | null;
            /** @description Why a level is null: no_root, inventory_unknown, no_bound, no_calls, no_puts, empty_book, no_forward, no_spot, no_expiry, not_published; more may come. */
            reason: string | null;
            /** @description Why gamma is null: of_spx, it is that of SPX options and is told of SPX alone. */
            gamma_reason: string | null;
            /** @description The strikes with most net gamma, largest first, as many as `g` says. */
            gex: ({
                strike: number;
                call: number | null;
                put: number | null;
                net: number | null;
            } & {
                [key: string]: unknown;
            })[] | null;
            /** @description Why `gex` is null: not_published (an old session), empty_book, all_expiries (with `expiry`). */
            gex_reason: string | null;
            /**
             * @description Only where `expiry` is asked for: the expiries that the levels are of.
             * @enum {string}
             */
            expiry?: "0dte" | "next" | "all";
            /** @description The expiration date; null of all, and where there is none. */
            expiry_day?: components["schemas"]["Day"] | null;
            /** @description Share of the gamma that the book may hold, without sign, of these expiries. */
            gamma_share?: number | null;
            /** @description The same share that leaves at today's close and at the next monthly expiry. */
            leaves?: {
                today: number | null;
                monthly: number | null;
                monthly_day: components["schemas"]["Day"] | null;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description A symbol that fails among several. */
        SymbolError: {
            sym: string;
            error: {
                /** @enum {string} */
                code: "unknown_symbol" | "contract_not_live" | "no_basis" | "no_data";
                message: string;
                next_update_s?: number | null;
                live?: string[];
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description An error, where `errors=200` asks for it; X-Service-Status has its status. */
        ErrorAs200: {
            error: {
                /** @enum {string} */
                code: "bad_request" | "request_timeout" | "headers_too_large" | "unavailable" | "no_key" | "bad_key" | "live_required" | "too_many_places" | "rate_limited" | "not_found" | "method_not_allowed" | "missing_sym" | "too_many_symbols" | "bad_book" | "bad_g" | "bad_expiry" | "bad_exposure" | "bad_part" | "bad_span" | "bad_style" | "bad_day" | "bad_time" | "not_finished" | "spx_only" | "history_too_old" | "unknown_symbol" | "contract_not_live" | "no_basis" | "no_data" | "not_acceptable" | "damaged" | "internal";
                message: string;
                retry_after_s?: number;
                pricing?: string;
                oldest?: string;
                live?: string[];
                next_update_s?: number | null;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Gamma by strike, and over the index.
         * @example {
         *       "day": "2026-10-15",
         *       "time": "11:14",
         *       "live": true,
         *       "book": "measured",
         *       "simulated": true,
         *       "next_update_at": "2026-10-15T15:15:03Z",
         *       "sym": "SPX",
         *       "spot": 5902.19,
         *       "spot_source": "index",
         *       "spot_error": null,
         *       "flip": 5995.93,
         *       "flip_lo": 5985.32,
         *       "flip_hi": 6007.1,
         *       "reason": null,
         *       "strikes": [
         *         [
         *           6000,
         *           401.2,
         *           -912.7
         *         ]
         *       ],
         *       "strikes_reason": null,
         *       "curve": {
         *         "from": 5610,
         *         "step": 10,
         *         "net": [
         *           -120.5,
         *           -131.2
         *         ]
         *       },
         *       "curve_reason": null
         *     }
         */
        Gamma: {
            /** @description ET trading day; null while nothing is published. */
            day: components["schemas"]["Day"] | null;
            /** @description State minute, ET: what was known before HH:MM:00. Null without a reading. */
            time: string | null;
            /** @description True of the newest state of a running session, asked for without `time`. */
            live: boolean;
            /**
             * @description The dealer book: measured (inventory and today's flow), vol (flow), oi (open interest by the convention: calls long, puts short).
             * @enum {string}
             */
            book: "measured" | "vol" | "oi";
            /** @description True when the tape was made by the simulator. */
            simulated: boolean;
            /** @description When the next state is due, UTC. Null for a given `day` or `time`, and when today's states are overdue. */
            next_update_at: string | null;
            /** @description The symbol, in capitals. */
            sym: string;
            /** @description Only of a future: the contract it stands for. */
            contract?: string;
            /** @description Only of a future: points above the index, added to every level. */
            basis?: number;
            /** @description The index, in points of the symbol. */
            spot: number | null;
            /** @description Where the index is from: `index`, the tape, or `parity`, the forwards of its options. Null where `spot` is. */
            spot_source?: ("index" | "parity") | null;
            /** @description One standard deviation of an index by parity, points; null of any other. */
            spot_error?: number | null;
            /** @description Where net dealer gamma is zero, nearest to the index. */
            flip: number | null;
            /** @description Lower end of the 90 % interval of the flip; with no_root the stretch where none is ruled out. */
            flip_lo: number | null;
            /** @description Upper end of the interval. The convention, oi, has none. */
            flip_hi: number | null;
            /** @description Why a level is null: no_root, inventory_unknown, no_bound, no_calls, no_puts, empty_book, no_forward, no_spot, no_expiry, not_published; more may come. */
            reason: string | null;
            /** @description Strike, gamma of its calls and of its puts, $M per point: rising, or as `g` ranks them. */
            strikes: (number | null)[][] | null;
            /** @description Why `strikes` is null: not_published (an old session), empty_book, of_spx. */
            strikes_reason: string | null;
            /** @description Net gamma were the index there, from a point on, step by step. */
            curve: ({
                from: number;
                step: number;
                net: number[];
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description Why `curve` is null: not_published, empty_book, of_spx. */
            curve_reason: string | null;
            /**
             * @description Only where `exposure` is asked for: what `cells` are of.
             * @enum {string}
             */
            exposure?: "delta" | "gamma" | "vanna" | "charm";
            /** @description The unit of `cells` and `net`. */
            unit?: string;
            /** @description State minute of `cells`: the first, or the last fifth minute up to `time`. */
            cells_time?: string;
            /** @description Sum over all strikes and expiries. */
            net?: number | null;
            /** @description Strike, root, expiry, the exposure of the dealers there and one standard deviation of it (null in the book oi). Strike null: all further than 300 points from the index. With `g` the cells of as many strikes. */
            cells?: [
                number | null,
                string,
                components["schemas"]["Day"],
                number,
                number | null
            ][] | null;
            /** @description Why `cells` is null: not_published (an old session), empty_book, of_spx. */
            cells_reason?: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Every minute of a past session, a column a level.
         * @example {
         *       "day": "2026-10-14",
         *       "book": "measured",
         *       "sym": "SPX",
         *       "simulated": true,
         *       "minutes": [
         *         "09:31"
         *       ],
         *       "spot": [
         *         5902.19
         *       ],
         *       "flip": [
         *         5995.93
         *       ],
         *       "flip_lo": [
         *         5985.32
         *       ],
         *       "flip_hi": [
         *         6007.1
         *       ],
         *       "call_wall": [
         *         6000
         *       ],
         *       "put_wall": [
         *         6000
         *       ],
         *       "net_gamma": [
         *         -857.4131
         *       ],
         *       "regime": [
         *         "negative"
         *       ],
         *       "p_positive": [
         *         0.014
         *       ],
         *       "spot_source": [
         *         "index"
         *       ],
         *       "spot_error": [
         *         null
         *       ],
         *       "reason": [
         *         null
         *       ],
         *       "gamma_reason": null
         *     }
         */
        History: {
            /** @description ET trading day. */
            day: components["schemas"]["Day"];
            /**
             * @description The dealer book: measured (inventory and today's flow), vol (flow), oi (open interest by the convention: calls long, puts short).
             * @enum {string}
             */
            book: "measured" | "vol" | "oi";
            /** @description The symbol, in capitals. */
            sym: string;
            /** @description True when the tape was made by the simulator. */
            simulated: boolean;
            /** @description Only of a future: the contract it stands for. */
            contract?: string;
            /** @description State minutes, ET, 09:31 to 15:59. */
            minutes: string[];
            /** @description The index, in points of the symbol. */
            spot: (number | null)[];
            /** @description As in levels, a value a minute. */
            flip: (number | null)[];
            /** @description Lower end of its interval. */
            flip_lo: (number | null)[];
            /** @description Upper end of the interval. */
            flip_hi: (number | null)[];
            /** @description As in levels. */
            call_wall: (number | null)[];
            /** @description As in levels. */
            put_wall: (number | null)[];
            /** @description As in levels. */
            net_gamma: (number | null)[];
            /** @description As in levels. */
            regime: (("positive" | "negative") | null)[];
            /** @description As in levels. */
            p_positive?: (number | null)[];
            /** @description As in levels. */
            spot_source?: (("index" | "parity") | null)[];
            /** @description As in levels. */
            spot_error?: (number | null)[];
            /** @description Why a value of the minute is null; no_basis where the future has no price. */
            reason: (string | null)[];
            /** @description Why gamma is null: of_spx, it is that of SPX options and is told of SPX alone. */
            gamma_reason: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description Delta and gamma that customers bought, minute by minute.
         * @example {
         *       "day": "2026-10-15",
         *       "time": "11:14",
         *       "live": true,
         *       "simulated": true,
         *       "next_update_at": "2026-10-15T15:15:03Z",
         *       "sym": "SPX",
         *       "part": "all",
         *       "span": "day",
         *       "minutes": [
         *         "11:14"
         *       ],
         *       "spot": [
         *         5902.19
         *       ],
         *       "delta": [
         *         -812.4
         *       ],
         *       "delta_lo": [
         *         -1630.2
         *       ],
         *       "delta_hi": [
         *         5.4
         *       ],
         *       "delta_reason": [
         *         null
         *       ],
         *       "gamma": [
         *         3.2145
         *       ],
         *       "gamma_lo": [
         *         -8.0012
         *       ],
         *       "gamma_hi": [
         *         14.4302
         *       ],
         *       "gamma_reason": [
         *         null
         *       ],
         *       "orders": [
         *         18211
         *       ],
         *       "contracts": [
         *         1203344
         *       ],
         *       "reason": null
         *     }
         */
        Flow: {
            /** @description ET trading day; null while nothing is published. */
            day: components["schemas"]["Day"] | null;
            /** @description State minute, ET: what was known before HH:MM:00. Null without a reading. */
            time: string | null;
            /** @description True of the newest state of a running session, asked for without `time`. */
            live: boolean;
            /** @description True when the tape was made by the simulator. */
            simulated: boolean;
            /** @description When the next state is due, UTC. Null for a given `day` or `time`, and when today's states are overdue. */
            next_update_at: string | null;
            /** @description The symbol, in capitals. */
            sym: string;
            /**
             * @description The legs that count: all, those of 0DTE, calls or puts.
             * @enum {string}
             */
            part: "all" | "0dte" | "calls" | "puts";
            /**
             * @description day: all orders known so far; 5m: those that printed in the last five minutes.
             * @enum {string}
             */
            span: "day" | "5m";
            /** @description State minutes, rising; the columns follow. */
            minutes: string[];
            /** @description The index. */
            spot: (number | null)[];
            /** @description Delta that customers bought less what they sold, $M of index. */
            delta: (number | null)[];
            /** @description Lower end of its 90 % interval. */
            delta_lo: (number | null)[];
            /** @description Upper end. */
            delta_hi: (number | null)[];
            /** @description Why a delta is null: no_orders, or unpriced (under 0.9 of the contracts are). */
            delta_reason: (string | null)[];
            /** @description Gamma that they bought less what they sold, $M per point. */
            gamma: (number | null)[];
            /** @description Lower end of its 90 % interval. */
            gamma_lo: (number | null)[];
            /** @description Upper end. */
            gamma_hi: (number | null)[];
            /** @description The same of gamma: the last half hour of an expiry has none. */
            gamma_reason: (string | null)[];
            /** @description Orders that count. */
            orders: number[];
            /** @description Contracts of their legs. */
            contracts: number[];
            /** @description Why there is no minute: not_published (an old session). */
            reason: string | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description The symbols that have levels.
         * @example {
         *       "symbols": [
         *         {
         *           "sym": "SPX",
         *           "kind": "index",
         *           "source": "book",
         *           "books": [
         *             "measured",
         *             "vol",
         *             "oi"
         *           ],
         *           "available": true,
         *           "reason": null,
         *           "first_day": "2026-10-14",
         *           "tick": 0.01
         *         }
         *       ]
         *     }
         */
        LevelSymbols: {
            symbols: ({
                /** @description The symbol, in capitals. */
                sym: string;
                /**
                 * @description What it is.
                 * @enum {string}
                 */
                kind: "index" | "mini_index" | "future";
                /** @description What its levels follow from. */
                source: string;
                /** @description Books it can be asked of. */
                books: ("measured" | "vol" | "oi")[];
                /** @description Whether the newest session has a reading. */
                available: boolean;
                /** @description Why not: no_data or no_basis. */
                reason: string | null;
                /** @description The first session that has it. */
                first_day: components["schemas"]["Day"] | null;
                /** @description Points between two prices of it. */
                tick: number;
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        /**
         * @description How far the index was expected to move until the PM close.
         * @example {
         *       "day": "2026-10-15",
         *       "time": "11:14",
         *       "spot": 5902.19,
         *       "spot_source": "index",
         *       "spot_error": null,
         *       "expected_move": 45.74,
         *       "session_move": 53.83,
         *       "low": 5937.53,
         *       "high": 6045.19,
         *       "reason": null,
         *       "name": "E|S-F|, forward straddle",
         *       "simulated": true
         *     }
         */
        ExpectedMove: {
            /** @description ET trading day. */
            day: components["schemas"]["Day"];
            /** @description State minute, ET. */
            time: string;
            /** @description The index. */
            spot: number | null;
            /** @description Where the index is from: `index`, the tape, or `parity`, the forwards of its options. Null where `spot` is. */
            spot_source?: ("index" | "parity") | null;
            /** @description One standard deviation of an index by parity, points; null of any other. */
            spot_error?: number | null;
            /** @description What remains of it at the minute, points. */
            expected_move: number | null;
            /** @description The same as it was at 09:31. */
            session_move: number | null;
            /** @description The index at 09:31 less the move of the session. */
            low: number | null;
            /** @description The same, more. */
            high: number | null;
            /** @description Why the move is null. */
            reason: string | null;
            /** @description What is measured, in words. */
            name: string;
            /** @description True when the tape was made by the simulator. */
            simulated: boolean;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description What a key opens, and how much of its limits is used.
         * @example {
         *       "scope": "live",
         *       "name": "desk",
         *       "plans": [
         *         "live"
         *       ],
         *       "oldest": "2026-07-17",
         *       "minute": {
         *         "limit": 120,
         *         "used": 12,
         *         "reset_s": 41
         *       },
         *       "places": {
         *         "limit": 3,
         *         "used": 2
         *       }
         *     }
         */
        LevelsKey: {
            /** @description The product of the key. */
            scope: string;
            /** @description What its owner calls it. */
            name: string;
            /** @description Open plans of its account. */
            plans: string[];
            /** @description The earliest day it opens; null: every day. */
            oldest: components["schemas"]["Day"] | null;
            /** @description Calls of this UTC minute, this one included, and seconds until the next one. */
            minute: {
                limit: number;
                used: number;
                reset_s: number;
            } & {
                [key: string]: unknown;
            };
            /** @description Places the key was used from in this UTC hour, this one included. */
            places: {
                limit: number;
                used: number;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /**
         * @description The finished sessions.
         * @example {
         *       "days": [
         *         {
         *           "day": "2026-10-14",
         *           "revision": "9f2b61c0a7d4e835",
         *           "grade": "good",
         *           "simulated": false,
         *           "orders": 1204,
         *           "open": 5931.2,
         *           "close": 5944.75,
         *           "flip_close": 5938.1,
         *           "reason": null,
         *           "condition": "complete",
         *           "conditions": [
         *             "complete"
         *           ],
         *           "condition_reason": null,
         *           "published_at": "2026-10-14T20:41:07Z",
         *           "edition": 1,
         *           "published_reason": null,
         *           "due_at": "2026-10-14T23:15:00Z",
         *           "due_reason": null
         *         }
         *       ],
         *       "first": "2026-10-14",
         *       "last": "2026-10-14"
         *     }
         */
        ArchiveDays: {
            /** @description Oldest first. */
            readonly days: components["schemas"]["ArchiveDay"][];
            /** @description The oldest, or null. */
            first: components["schemas"]["Day"] | null;
            /** @description The newest, or null. */
            last: components["schemas"]["Day"] | null;
        } & {
            [key: string]: unknown;
        };
        /** @description A finished session in the list. */
        ArchiveDay: {
            day: components["schemas"]["Day"];
            /**
             * @description Names this version of the session: other content has another.
             * @example 9f2b61c0a7d4e835
             */
            revision: string;
            /** @description How far the tape can be trusted: good, doubtful or bad; null: not judged. */
            grade: string | null;
            /** @description True when the tape was made by the simulator: no such trades took place. */
            simulated: boolean;
            /** @description Orders of the ledger. */
            orders: number | null;
            /** @description The first index value. */
            open: number | null;
            /** @description The last index value by the PM close. */
            close: number | null;
            /** @description The flip of the measured book at that minute; null: none was known. */
            flip_close: number | null;
            /** @description Why the four before are null: older code did not keep them, or a file is damaged. Null where they are known. */
            reason: ("not_kept" | "damaged") | null;
            /** @description `missing`: it is due, and not published; `damaged`: it is published, and cannot be read; `partial`: minutes without prints, or prints that an audit set apart; `degraded`: the grade of its tape is doubtful or bad; `restated`: its content was replaced at least once since it was published first; `late`: published after it was due, and before the next session was; `backfilled`: published after the next session was due, such as history; `complete`: published in time, of a good tape, and never replaced; `pending`: not due yet. Of several that hold, the first of these. */
            condition: ("missing" | "damaged" | "partial" | "degraded" | "restated" | "late" | "backfilled" | "complete" | "pending") | null;
            /** @description Every one that holds, most severe first. */
            readonly conditions: ("missing" | "damaged" | "partial" | "degraded" | "restated" | "late" | "backfilled" | "complete" | "pending")[];
            /** @description Why `condition` is null. */
            condition_reason: ("not_published" | "not_recorded" | "not_graded" | "simulated" | "no_session" | "damaged" | "before_data") | null;
            /** @description UTC instant at which this content of the session was published first. */
            published_at: string | null;
            /** @description 1 for the first content of the session; each other content is one more. */
            edition: number | null;
            /** @description Why one of the two is null, such as `not_recorded` by older code. */
            published_reason: ("not_published" | "not_recorded" | "not_graded" | "simulated" | "no_session" | "damaged" | "before_data") | null;
            /** @description UTC instant by which it has to be published: its close, and the time that the operator allows. */
            due_at: string | null;
            /** @description Why `due_at` is null, such as `simulated`. */
            due_reason: ("not_published" | "not_recorded" | "not_graded" | "simulated" | "no_session" | "damaged" | "before_data") | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description How stated levels and probabilities turned out.
         * @example {
         *       "groups": [
         *         {
         *           "simulated": false,
         *           "sessions": 60,
         *           "levels": [
         *             {
         *               "book": "measured",
         *               "kind": "call_wall",
         *               "role": "level",
         *               "judged": 310,
         *               "touched": 120,
         *               "held": 66,
         *               "held_share": 0.55,
         *               "held_error": 0.05,
         *               "wall_over_it": null,
         *               "wall_over_it_error": null
         *             }
         *           ],
         *           "regimes": [
         *             {
         *               "book": "measured",
         *               "judged": 700,
         *               "calm_share": 0.6,
         *               "brier": 0.25,
         *               "brier_error": 0.01,
         *               "constant_brier": 0.24,
         *               "bins": [
         *                 {
         *                   "from": 0.9,
         *                   "to": 1,
         *                   "judged": 80,
         *                   "stated": 0.96,
         *                   "calm": 0.7
         *                 }
         *               ]
         *             }
         *           ]
         *         }
         *       ],
         *       "sessions": [
         *         {
         *           "day": "2026-10-14",
         *           "revision": "9f2b61c0a7d4e835",
         *           "simulated": false,
         *           "judged": 12,
         *           "touched": 5,
         *           "held": 3,
         *           "brier": 0.21,
         *           "reason": null
         *         }
         *       ],
         *       "errata": [
         *         {
         *           "date": "2026-11-27",
         *           "what": "The flip of the open-interest book had an interval.",
         *           "sessions": "all that were built before, until they are built again"
         *         }
         *       ]
         *     }
         */
        ArchiveGrades: {
            /** @description Real sessions, and simulated ones: never together. */
            readonly groups: ({
                /** @description True when the tape was made by the simulator: no such trades took place. */
                simulated: boolean;
                /** @description Sessions that are graded. */
                sessions: number;
                readonly levels: components["schemas"]["LevelGrade"][];
                readonly regimes: components["schemas"]["RegimeGrade"][];
            } & {
                [key: string]: unknown;
            })[];
            /** @description Every finished session with levels, oldest first. */
            readonly sessions: ({
                day: components["schemas"]["Day"];
                /**
                 * @description Names this version of the session: other content has another.
                 * @example 9f2b61c0a7d4e835
                 */
                revision: string;
                /** @description True when the tape was made by the simulator: no such trades took place. */
                simulated: boolean;
                /** @description Walls of the measured book that could be judged. */
                judged: number;
                /** @description Of these, touched. */
                touched: number;
                /** @description Of these, not broken. */
                held: number;
                /** @description Brier score of the session; null: nothing judged. */
                brier: number | null;
                /** @description Why no wall could be judged. */
                reason: string | null;
            } & {
                [key: string]: unknown;
            })[];
            /** @description Faults of published numbers, newest first. */
            readonly errata: ({
                date: components["schemas"]["Day"];
                /** @description The fault that published numbers had. */
                what: string;
                /** @description Which sessions show it. */
                sessions: string;
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        /** @description Strikes of a kind over all sessions. */
        LevelGrade: {
            /** @description `measured`, `oi` or `vol`. */
            book: string;
            /** @description `call_wall` or `put_wall`. */
            kind: string;
            /** @description `level`: the wall. `rank`: the four strikes next in gamma. `random`: of the others, those as far from the index as the wall. */
            role: string;
            /** @description How many were stated and could be judged. */
            judged: number;
            /** @description Of these, touched within the hour and judged for half an hour after it. */
            touched: number;
            /** @description Of the touched, not broken. */
            held: number;
            /** @description held over touched; null: none was touched. */
            held_share: number | null;
            /** @description One standard deviation, a session being one observation. */
            held_error: number | null;
            /** @description `held_share` of the wall less this one; null for the wall. */
            wall_over_it: number | null;
            /** @description One standard deviation of it. */
            wall_over_it_error: number | null;
        } & {
            [key: string]: unknown;
        };
        /** @description Stated probabilities of positive gamma over all sessions. */
        RegimeGrade: {
            /** @description `measured` or `vol`. */
            book: string;
            /** @description Half hours with a stated probability and an index. */
            judged: number;
            /** @description Share in which the index moved less than the options expected. */
            calm_share: number | null;
            /** @description Brier score of `p_positive` against that; lower is better. */
            brier: number | null;
            /** @description One standard deviation, a session being one observation. */
            brier_error: number | null;
            /** @description Brier score of stating `calm_share` each time. */
            constant_brier: number | null;
            /** @description Reliability, by tenths of the stated probability. */
            readonly bins: ({
                /** @description Least stated probability. */
                from: number | null;
                /** @description Largest. */
                to: number | null;
                /** @description Half hours in it. */
                judged: number;
                /** @description Mean stated probability. */
                stated: number | null;
                /** @description Share that was calm. */
                calm: number | null;
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        /** @description A finished session. */
        ArchiveSession: {
            day: components["schemas"]["Day"];
            /** @description Absent where the tape is of another product. */
            sym?: string;
            /**
             * @description Names this version of the session: other content has another.
             * @example 9f2b61c0a7d4e835
             */
            revision: string;
            /** @description True when the tape was made by the simulator: no such trades took place. */
            simulated: boolean;
            /** @description Sessions in a row whose flow the inventory at the open holds. */
            sessions_carried?: number | null;
            /** @description ET time of the newest message used. */
            asof: string | null;
            /** @description Gross premium floor the ledger was built at, USD. */
            min_premium?: number;
            tape?: components["schemas"]["ArchiveTape"];
            /** @description What is wrong with the tape, in words. */
            note?: string;
            /** @description State minutes, ET: each column has one entry for each, known before `HH:MM:00`. */
            minutes: string[];
            /** @description measured: inventory and flow; vol: flow of the day; oi: convention. */
            books: {
                measured: components["schemas"]["ArchiveBook"];
                vol: components["schemas"]["ArchiveBook"];
                oi: components["schemas"]["ArchiveBook"];
            } & {
                [key: string]: unknown;
            };
            /** @description The measured book over the index, from the first minute on. */
            curve: {
                /** @description Minutes from one list of `net` to the next. */
                every: number;
                /** @description The lowest index point of the grid; null: there is no curve. */
                from: number | null;
                /** @description Index points from one to the next. */
                step: number | null;
                /** @description Net dealer gamma, $M per index point: a list a minute, in the order of the grid; null where the scan of the minute, which goes with the index, does not reach. */
                net: (number | null)[][];
            } & {
                [key: string]: unknown;
            };
            /** @description The 500 that changed the book most, largest first. */
            orders: components["schemas"]["Order"][];
            stats?: components["schemas"]["Stats"];
        } & {
            [key: string]: unknown;
        };
        /** @description The verdict on the tape, as in the ledger. */
        ArchiveTape: {
            grade?: string;
            reasons?: string[];
            /** @description Minutes in which nothing was printed, both ends included. */
            readonly gaps?: ({
                from: string;
                to: string;
                minutes: number;
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        /** @description The levels of one dealer book, a column each. */
        ArchiveBook: {
            /** @description The index, points. */
            spot: (number | null)[];
            /** @description The zero of net gamma nearest to the index, points. */
            flip: (number | null)[];
            /** @description The lower end of the flip's interval, points. */
            flip_lo: (number | null)[];
            /** @description The upper end. */
            flip_hi: (number | null)[];
            /** @description The strike with the largest dealer gamma among calls. */
            call_wall: (number | null)[];
            /** @description The same among puts. */
            put_wall: (number | null)[];
            /** @description Dealer gamma at the index, $M per index point. */
            net_gamma: (number | null)[];
            /** @description Why a level is null. */
            reason: (string | null)[];
            /** @description Probability that the net gamma is positive. */
            p_positive?: (number | null)[];
            /** @description Where the index is from: the tape, or the forwards of its options. */
            spot_source?: (("index" | "parity") | null)[];
            /** @description One standard deviation of an index by parity, points. */
            spot_error?: (number | null)[];
        } & {
            [key: string]: unknown;
        };
        /** @description The curves of one book at every minute. */
        ArchiveGamma: {
            day: components["schemas"]["Day"];
            /**
             * @description Names this version of the session: other content has another.
             * @example 9f2b61c0a7d4e835
             */
            revision: string;
            /** @description True when the tape was made by the simulator: no such trades took place. */
            simulated: boolean;
            /** @enum {string} */
            book: "measured" | "vol" | "oi";
            /** @description State minutes, ET: each column has one entry for each, known before `HH:MM:00`. */
            minutes: string[];
            /** @description The lowest index point of the grid; null: there is no curve. */
            from: number | null;
            /** @description Index points from one to the next. */
            step: number | null;
            /** @description Net dealer gamma, $M per index point: a list a minute, in the order of the grid; null where the scan of the minute, which goes with the index, does not reach. */
            net: (number | null)[][];
        } & {
            [key: string]: unknown;
        };
        /** @description The gamma of each strike of one book. */
        ArchiveStrikes: {
            day: components["schemas"]["Day"];
            /**
             * @description Names this version of the session: other content has another.
             * @example 9f2b61c0a7d4e835
             */
            revision: string;
            /** @description True when the tape was made by the simulator: no such trades took place. */
            simulated: boolean;
            /** @enum {string} */
            book: "measured" | "vol" | "oi";
            /** @description State minutes, ET: each column has one entry for each, known before `HH:MM:00`. */
            minutes: string[];
            /** @description Rising; null where there are none, and `reason` says why. */
            strikes: number[] | null;
            /** @description Gamma of the calls, $M per index point: a list a minute, in the order of `strikes`, rounded to a hundredth of the largest of the minute, or less; null where the book has nothing of the strike, or it is over 300 points from the index. */
            calls: (number | null)[][];
            /** @description Gamma of the puts, $M per index point: a list a minute, in the order of `strikes`, rounded to a hundredth of the largest of the minute, or less; null where the book has nothing of the strike, or it is over 300 points from the index. */
            puts: (number | null)[][];
            /** @description Why `strikes` is null: older code kept none, or the book has none all day. */
            reason: ("not_published" | "empty_book") | null;
        } & {
            [key: string]: unknown;
        };
        /** @description The simulated session, and every file of it. */
        SampleIndex: {
            /**
             * @description No such trades took place.
             * @constant
             */
            simulated: true;
            session_date: string;
            symbol: string;
            /** @description Revision of the published part. */
            revision: string;
            /** @description Options of the simulator. */
            simulation: {
                [key: string]: unknown;
            };
            files: components["schemas"]["SampleFile"][];
        } & {
            [key: string]: unknown;
        };
        /** @description A Parquet file of the sample. */
        SampleFile: {
            /** @description Its name below `/snapshots/sample/`. */
            file: string;
            /** @description Of the tape with `tape_` before its name. */
            dataset: string;
            /**
             * @description `published`: what a build made; `tape`: what was imported; `truth`: what only the simulator knows.
             * @enum {string}
             */
            part: "published" | "tape" | "truth";
            day: string;
            rows: number;
            bytes: number;
            sha256: string;
        } & {
            [key: string]: unknown;
        };
        /** @description Every file there is, by day and dataset. */
        SnapshotIndex: {
            readonly files: components["schemas"]["Snapshot"][];
            /** @description The rows of `files` by month, of the datasets `orders` and `levels`. */
            readonly months?: components["schemas"]["SnapshotMonth"][];
            /** @description Oldest first. */
            readonly days: components["schemas"]["SnapshotDay"][];
        } & {
            [key: string]: unknown;
        };
        /** @description A Parquet file of one dataset and session. */
        Snapshot: {
            /** @description Its name below `/snapshots/`. */
            file: string;
            dataset: string;
            day: components["schemas"]["Day"];
            rows: number;
            bytes: number;
            sha256: string;
        } & {
            [key: string]: unknown;
        };
        /** @description A Parquet file of one dataset and month. */
        SnapshotMonth: {
            /** @description Its name below `/snapshots/`. */
            file: string;
            dataset: string;
            month: string;
            /** @description True when the tape was made by the simulator: no such trades took place. */
            simulated: boolean;
            /** @description Sessions in it, oldest first. */
            readonly days: components["schemas"]["Day"][];
            rows: number;
            bytes: number;
            sha256: string;
        } & {
            [key: string]: unknown;
        };
        /** @description The state of the data of a session. */
        SnapshotDay: {
            day: components["schemas"]["Day"];
            /**
             * @description Names this version of the session: other content has another.
             * @example 9f2b61c0a7d4e835
             */
            revision: string;
            /** @description True when the tape was made by the simulator: no such trades took place. */
            simulated: boolean;
            /** @description `missing`: it is due, and not published; `damaged`: it is published, and cannot be read; `partial`: minutes without prints, or prints that an audit set apart; `degraded`: the grade of its tape is doubtful or bad; `restated`: its content was replaced at least once since it was published first; `late`: published after it was due, and before the next session was; `backfilled`: published after the next session was due, such as history; `complete`: published in time, of a good tape, and never replaced; `pending`: not due yet. Of several that hold, the first of these. */
            condition: ("missing" | "damaged" | "partial" | "degraded" | "restated" | "late" | "backfilled" | "complete" | "pending") | null;
            /** @description Every one that holds, most severe first. */
            readonly conditions: ("missing" | "damaged" | "partial" | "degraded" | "restated" | "late" | "backfilled" | "complete" | "pending")[];
            /** @description Why `condition` is null. */
            condition_reason: ("not_published" | "not_recorded" | "not_graded" | "simulated" | "no_session" | "damaged" | "before_data") | null;
            /** @description UTC instant at which this content of the session was published first. */
            published_at: string | null;
            /** @description 1 for the first content of the session; each other content is one more. */
            edition: number | null;
            /** @description Why one of the two is null, such as `not_recorded` by older code. */
            published_reason: ("not_published" | "not_recorded" | "not_graded" | "simulated" | "no_session" | "damaged" | "before_data") | null;
            /** @description UTC instant by which it has to be published: its close, and the time that the operator allows. */
            due_at: string | null;
            /** @description Why `due_at` is null, such as `simulated`. */
            due_reason: ("not_published" | "not_recorded" | "not_graded" | "simulated" | "no_session" | "damaged" | "before_data") | null;
        } & {
            [key: string]: unknown;
        };
        /** @description What a session is made of, as far as shared. */
        SnapshotManifest: {
            /** @enum {number} */
            format: 1 | 2;
            session_date: components["schemas"]["Day"];
            symbol: string;
            /** @description True when the tape was made by the simulator: no such trades took place. */
            simulated: boolean;
            /**
             * @description Names this version of the session: other content has another.
             * @example 9f2b61c0a7d4e835
             */
            revision: string;
            published_at?: string;
            edition?: number;
            asof: string;
            code_version: string;
            min_premium_usd: number;
            minutes: {
                [key: string]: unknown;
            };
            tape_grade?: {
                [key: string]: unknown;
            };
            datasets: {
                [key: string]: {
                    file: string;
                    rows: number;
                    bytes: number;
                    sha256: string;
                } & {
                    [key: string]: unknown;
                };
            };
        } & {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "status": "green",
         *       "severity": "green",
         *       "newest_session": "2026-10-14",
         *       "asof": "16:15:00",
         *       "simulated": false,
         *       "tape_grade": "good",
         *       "expected_session": "2026-10-14",
         *       "data_age_s": 12000,
         *       "now_et": "2026-10-14 19:35:00",
         *       "last_minute": "16:14",
         *       "lag_s": null,
         *       "gaps": [
         *         {
         *           "from": "15:31",
         *           "to": "15:35",
         *           "minutes": 5
         *         }
         *       ],
         *       "datasets": [],
         *       "alerts": {
         *         "day": "2026-10-14",
         *         "minute": "16:18",
         *         "lag_s": 0,
         *         "waiting": 2,
         *         "trying": 1,
         *         "oldest_due_s": 0,
         *         "sent_last_hour": 31,
         *         "failed_last_hour": 0
         *       },
         *       "problems": [],
         *       "warnings": [],
         *       "days": [
         *         {
         *           "day": "2026-10-14",
         *           "state": "published",
         *           "severity": "green",
         *           "grade": "good",
         *           "simulated": false,
         *           "asof": "16:15:00",
         *           "last_minute": "16:14",
         *           "lag_s": null,
         *           "gaps": [
         *             {
         *               "from": "15:31",
         *               "to": "15:35",
         *               "minutes": 5
         *             }
         *           ],
         *           "condition": "partial",
         *           "conditions": [
         *             "partial"
         *           ],
         *           "condition_reason": null,
         *           "published_at": "2026-10-14T20:41:07Z",
         *           "edition": 1,
         *           "published_reason": null,
         *           "due_at": "2026-10-14T23:15:00Z",
         *           "due_reason": null
         *         }
         *       ]
         *     }
         */
        Health: {
            /** @enum {string} */
            status: "green" | "red";
            /**
             * @description As `status`, or amber: there are warnings, and no problems.
             * @enum {string}
             */
            severity: "green" | "amber" | "red";
            /** @description Newest session with a ledger. */
            newest_session: string | null;
            /** @description ET time up to which that ledger knows. */
            asof: string | null;
            /** @description Whether its tape is a simulated one. */
            simulated: boolean | null;
            /** @description How far the tape of that ledger can be trusted; null when nobody judged it. */
            tape_grade: ("good" | "doubtful" | "bad") | null;
            /** @description Newest session whose ledger the calendar expects by now. */
            expected_session: string;
            /** @description Seconds since that `asof`. */
            data_age_s: number | null;
            /** @description ET date and time by which all of this is judged. */
            now_et: string;
            /** @description Last ET minute in which was printed. */
            last_minute: string | null;
            /** @description Age of the data while the session is open: amber from 120 s, red from 300 s. */
            lag_s: number | null;
            /** @description Minutes in which nothing was printed, both ends included. */
            readonly gaps: ({
                from: string;
                to: string;
                minutes: number;
            } & {
                [key: string]: unknown;
            })[];
            /** @description What the newest one was built from. */
            readonly datasets: ({
                dataset: string;
                rows: number;
                /** @description UTC time of its newest row. */
                newest_at: string | null;
                /** @description Its age while the session is open. */
                lag_s: number | null;
            } & {
                [key: string]: unknown;
            })[];
            /** @description The watch of alerts and what it sends; null where that is not known. */
            alerts: ({
                /** @description Session that is watched; null: none was. */
                day: string | null;
                /** @description Last ET minute that was watched. */
                minute: string | null;
                /** @description How long a published minute has waited to be watched: amber from 120 s, red from 300 s. */
                lag_s: number | null;
                /** @description Events that wait to be sent, for each place they go to. */
                waiting: number;
                /** @description Those that are being sent. */
                trying: number;
                /** @description How long the oldest of those that wait has been due: amber and red as above. */
                oldest_due_s: number | null;
                sent_last_hour: number;
                failed_last_hour: number;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description Why it is red; none when green. */
            problems: string[];
            /** @description What is not right, and no alarm. */
            readonly warnings: string[];
            /** @description Weekdays of the last 90 days, newest first. */
            readonly days: ({
                day: string;
                /**
                 * @description `open`: it runs, or is not built whole yet; `not_due`: its time is not over; `not_kept`: before the first session.
                 * @enum {string}
                 */
                state: "published" | "open" | "missing" | "damaged" | "not_due" | "not_kept" | "holiday";
                /** @enum {string} */
                severity: "green" | "amber" | "red";
                grade: ("good" | "doubtful" | "bad") | null;
                simulated: boolean | null;
                /** @description ET time up to which its ledger knows. */
                asof: string | null;
                /** @description Last ET minute in which was printed. */
                last_minute: string | null;
                /** @description Age of the data while the session is open: amber from 120 s, red from 300 s. */
                lag_s: number | null;
                /** @description Minutes in which nothing was printed, both ends included. */
                readonly gaps: ({
                    from: string;
                    to: string;
                    minutes: number;
                } & {
                    [key: string]: unknown;
                })[];
                /** @description `missing`: it is due, and not published; `damaged`: it is published, and cannot be read; `partial`: minutes without prints, or prints that an audit set apart; `degraded`: the grade of its tape is doubtful or bad; `restated`: its content was replaced at least once since it was published first; `late`: published after it was due, and before the next session was; `backfilled`: published after the next session was due, such as history; `complete`: published in time, of a good tape, and never replaced; `pending`: not due yet. Of several that hold, the first of these. */
                condition: ("missing" | "damaged" | "partial" | "degraded" | "restated" | "late" | "backfilled" | "complete" | "pending") | null;
                /** @description Every one that holds, most severe first. */
                readonly conditions: ("missing" | "damaged" | "partial" | "degraded" | "restated" | "late" | "backfilled" | "complete" | "pending")[];
                /** @description Why `condition` is null. */
                condition_reason: ("not_published" | "not_recorded" | "not_graded" | "simulated" | "no_session" | "damaged" | "before_data") | null;
                /** @description UTC instant at which this content of the session was published first. */
                published_at: string | null;
                /** @description 1 for the first content of the session; each other content is one more. */
                edition: number | null;
                /** @description Why one of the two is null, such as `not_recorded` by older code. */
                published_reason: ("not_published" | "not_recorded" | "not_graded" | "simulated" | "no_session" | "damaged" | "before_data") | null;
                /** @description UTC instant by which it has to be published: its close, and the time that the operator allows. */
                due_at: string | null;
                /** @description Why `due_at` is null, such as `simulated`. */
                due_reason: ("not_published" | "not_recorded" | "not_graded" | "simulated" | "no_session" | "damaged" | "before_data") | null;
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "status": "live"
         *     }
         */
        HealthLive: {
            /** @constant */
            status: "live";
        } & {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "status": "ready",
         *       "problems": []
         *     }
         */
        HealthReady: {
            /** @enum {string} */
            status: "ready" | "not_ready";
            /** @description Why it is not ready; none when it is. */
            problems: string[];
        } & {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "status": "green",
         *       "now_et": "2026-10-14 19:35:00",
         *       "expected_session": "2026-10-14",
         *       "problems": [],
         *       "warnings": [],
         *       "newest": {
         *         "day": "2026-10-14",
         *         "state": "published",
         *         "severity": "green",
         *         "grade": "good",
         *         "simulated": false,
         *         "asof": "16:15:00",
         *         "last_minute": "16:14",
         *         "lag_s": null,
         *         "gaps": [
         *           {
         *             "from": "15:31",
         *             "to": "15:35",
         *             "minutes": 5
         *           }
         *         ],
         *         "condition": "partial",
         *         "conditions": [
         *           "partial"
         *         ],
         *         "condition_reason": null,
         *         "published_at": "2026-10-14T20:41:07Z",
         *         "edition": 1,
         *         "published_reason": null,
         *         "due_at": "2026-10-14T23:15:00Z",
         *         "due_reason": null
         *       },
         *       "datasets": [
         *         {
         *           "dataset": "prints",
         *           "rows": 912345,
         *           "newest_at": "2026-10-14T20:14:59Z",
         *           "lag_s": null
         *         }
         *       ],
         *       "alerts": {
         *         "day": "2026-10-14",
         *         "minute": "16:18",
         *         "lag_s": 0,
         *         "waiting": 2,
         *         "trying": 1,
         *         "oldest_due_s": 0,
         *         "sent_last_hour": 31,
         *         "failed_last_hour": 0
         *       },
         *       "sources": [
         *         {
         *           "source": "thetadata",
         *           "severity": "green",
         *           "newest_day": "2026-10-14",
         *           "responded_at": "2026-10-14T20:31:12.000Z",
         *           "due_at": null,
         *           "delay_s": 0,
         *           "problem": null
         *         }
         *       ],
         *       "backfill": null,
         *       "days": [
         *         {
         *           "day": "2026-10-14",
         *           "state": "published",
         *           "severity": "green",
         *           "grade": "good",
         *           "simulated": false,
         *           "asof": "16:15:00",
         *           "last_minute": "16:14",
         *           "lag_s": null,
         *           "gaps": [
         *             {
         *               "from": "15:31",
         *               "to": "15:35",
         *               "minutes": 5
         *             }
         *           ],
         *           "condition": "partial",
         *           "conditions": [
         *             "partial"
         *           ],
         *           "condition_reason": null,
         *           "published_at": "2026-10-14T20:41:07Z",
         *           "edition": 1,
         *           "published_reason": null,
         *           "due_at": "2026-10-14T23:15:00Z",
         *           "due_reason": null
         *         }
         *       ]
         *     }
         */
        Status: {
            /** @enum {string} */
            status: "green" | "amber" | "red";
            /** @description ET date and time by which all of this is judged. */
            now_et: string;
            /** @description Newest session whose ledger the calendar expects by now. */
            expected_session: string;
            /** @description Why it is red. */
            readonly problems: string[];
            /** @description What is not right, and no alarm. */
            readonly warnings: string[];
            /** @description The newest session with a ledger. */
            newest: ({
                day: string;
                /**
                 * @description `open`: it runs, or is not built whole yet; `not_due`: its time is not over; `not_kept`: before the first session.
                 * @enum {string}
                 */
                state: "published" | "open" | "missing" | "damaged" | "not_due" | "not_kept" | "holiday";
                /** @enum {string} */
                severity: "green" | "amber" | "red";
                grade: ("good" | "doubtful" | "bad") | null;
                simulated: boolean | null;
                /** @description ET time up to which its ledger knows. */
                asof: string | null;
                /** @description Last ET minute in which was printed. */
                last_minute: string | null;
                /** @description Age of the data while the session is open: amber from 120 s, red from 300 s. */
                lag_s: number | null;
                /** @description Minutes in which nothing was printed, both ends included. */
                readonly gaps: ({
                    from: string;
                    to: string;
                    minutes: number;
                } & {
                    [key: string]: unknown;
                })[];
                /** @description `missing`: it is due, and not published; `damaged`: it is published, and cannot be read; `partial`: minutes without prints, or prints that an audit set apart; `degraded`: the grade of its tape is doubtful or bad; `restated`: its content was replaced at least once since it was published first; `late`: published after it was due, and before the next session was; `backfilled`: published after the next session was due, such as history; `complete`: published in time, of a good tape, and never replaced; `pending`: not due yet. Of several that hold, the first of these. */
                condition: ("missing" | "damaged" | "partial" | "degraded" | "restated" | "late" | "backfilled" | "complete" | "pending") | null;
                /** @description Every one that holds, most severe first. */
                readonly conditions: ("missing" | "damaged" | "partial" | "degraded" | "restated" | "late" | "backfilled" | "complete" | "pending")[];
                /** @description Why `condition` is null. */
                condition_reason: ("not_published" | "not_recorded" | "not_graded" | "simulated" | "no_session" | "damaged" | "before_data") | null;
                /** @description UTC instant at which this content of the session was published first. */
                published_at: string | null;
                /** @description 1 for the first content of the session; each other content is one more. */
                edition: number | null;
                /** @description Why one of the two is null, such as `not_recorded` by older code. */
                published_reason: ("not_published" | "not_recorded" | "not_graded" | "simulated" | "no_session" | "damaged" | "before_data") | null;
                /** @description UTC instant by which it has to be published: its close, and the time that the operator allows. */
                due_at: string | null;
                /** @description Why `due_at` is null, such as `simulated`. */
                due_reason: ("not_published" | "not_recorded" | "not_graded" | "simulated" | "no_session" | "damaged" | "before_data") | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description What the newest one was built from. */
            readonly datasets: ({
                dataset: string;
                rows: number;
                /** @description UTC time of its newest row. */
                newest_at: string | null;
                /** @description Its age while the session is open. */
                lag_s: number | null;
            } & {
                [key: string]: unknown;
            })[];
            /** @description The watch of alerts and what it sends; null where that is not known. */
            alerts: ({
                /** @description Session that is watched; null: none was. */
                day: string | null;
                /** @description Last ET minute that was watched. */
                minute: string | null;
                /** @description How long a published minute has waited to be watched: amber from 120 s, red from 300 s. */
                lag_s: number | null;
                /** @description Events that wait to be sent, for each place they go to. */
                waiting: number;
                /** @description Those that are being sent. */
                trying: number;
                /** @description How long the oldest of those that wait has been due: amber and red as above. */
                oldest_due_s: number | null;
                sent_last_hour: number;
                failed_last_hour: number;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description Sources of market data that `fetch` has used, by name. */
            readonly sources: ({
                source: string;
                /**
                 * @description `amber`: a response is overdue, or the last request failed.
                 * @enum {string}
                 */
                severity: "green" | "amber";
                /** @description Day or year of its newest response. */
                newest_day: string | null;
                /** @description UTC time of its newest response. */
                responded_at: string | null;
                /** @description UTC time by which the next one should come; null: none is expected. */
                due_at: string | null;
                /** @description Time by which its rows are late by themselves. */
                delay_s: number;
                /** @description That the last request failed; null: it did not. */
                problem: string | null;
            } & {
                [key: string]: unknown;
            })[];
            /** @description The newest backfill, if it runs or ended within a day; else null. */
            backfill: ({
                /**
                 * @description `stopped`: without a sign of life for two minutes; the same command goes on.
                 * @enum {string}
                 */
                state: "running" | "stopped" | "ended";
                from: string;
                to: string;
                /** @description UTC time. */
                started_at: string;
                /** @description UTC time; null: it has not ended. */
                ended_at: string | null;
                /** @description Sessions to be built. */
                sessions: number;
                /** @description Sessions of these that are built. */
                done: number;
                /** @description Tasks that run, on all machines. */
                running: number;
                /** @description Tasks that wait. */
                waiting: number;
                /** @description Sessions that could not be built. */
                readonly failed: ({
                    day: string;
                    reason: string;
                } & {
                    [key: string]: unknown;
                })[];
                sessions_per_hour: number | null;
                /** @description About how long it still takes. */
                seconds_left: number | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description Weekdays of the last 90 days, newest first. */
            readonly days: ({
                day: string;
                /**
                 * @description `open`: it runs, or is not built whole yet; `not_due`: its time is not over; `not_kept`: before the first session.
                 * @enum {string}
                 */
                state: "published" | "open" | "missing" | "damaged" | "not_due" | "not_kept" | "holiday";
                /** @enum {string} */
                severity: "green" | "amber" | "red";
                grade: ("good" | "doubtful" | "bad") | null;
                simulated: boolean | null;
                /** @description ET time up to which its ledger knows. */
                asof: string | null;
                /** @description Last ET minute in which was printed. */
                last_minute: string | null;
                /** @description Age of the data while the session is open: amber from 120 s, red from 300 s. */
                lag_s: number | null;
                /** @description Minutes in which nothing was printed, both ends included. */
                readonly gaps: ({
                    from: string;
                    to: string;
                    minutes: number;
                } & {
                    [key: string]: unknown;
                })[];
                /** @description `missing`: it is due, and not published; `damaged`: it is published, and cannot be read; `partial`: minutes without prints, or prints that an audit set apart; `degraded`: the grade of its tape is doubtful or bad; `restated`: its content was replaced at least once since it was published first; `late`: published after it was due, and before the next session was; `backfilled`: published after the next session was due, such as history; `complete`: published in time, of a good tape, and never replaced; `pending`: not due yet. Of several that hold, the first of these. */
                condition: ("missing" | "damaged" | "partial" | "degraded" | "restated" | "late" | "backfilled" | "complete" | "pending") | null;
                /** @description Every one that holds, most severe first. */
                readonly conditions: ("missing" | "damaged" | "partial" | "degraded" | "restated" | "late" | "backfilled" | "complete" | "pending")[];
                /** @description Why `condition` is null. */
                condition_reason: ("not_published" | "not_recorded" | "not_graded" | "simulated" | "no_session" | "damaged" | "before_data") | null;
                /** @description UTC instant at which this content of the session was published first. */
                published_at: string | null;
                /** @description 1 for the first content of the session; each other content is one more. */
                edition: number | null;
                /** @description Why one of the two is null, such as `not_recorded` by older code. */
                published_reason: ("not_published" | "not_recorded" | "not_graded" | "simulated" | "no_session" | "damaged" | "before_data") | null;
                /** @description UTC instant by which it has to be published: its close, and the time that the operator allows. */
                due_at: string | null;
                /** @description Why `due_at` is null, such as `simulated`. */
                due_reason: ("not_published" | "not_recorded" | "not_graded" | "simulated" | "no_session" | "damaged" | "before_data") | null;
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        /** @description A rule, a question, or why there is no rule. */
        LabReply: {
            /** @constant */
            kind: "spec";
            idea: {
                /**
                 * @description An idea of the account.
                 * @example i_4fQ8sK2mZx0T
                 */
                id: string;
                name: string;
                spec: components["schemas"]["RuleSpec"];
            };
            /** @description The rule in words; read again, they are the same rule. */
            say: string;
            version: number;
            /** @description SHA-256 of the rule, hex (RFC 8785). */
            rule_hash: string;
            /** @description What was taken for granted or worked out. */
            assumptions: {
                field: string;
                value: string;
                why: string;
            }[];
            /** @description What differs from the version before. */
            changed: {
                field: string;
                from: string | null;
                to: string | null;
            }[];
            /** @description Which characters of the message were read as which part. */
            read: {
                from: number;
                to: number;
                field: string;
            }[];
        } | {
            /** @constant */
            kind: "chat";
            say: string;
            /**
             * @description An idea of the account.
             * @example i_4fQ8sK2mZx0T
             */
            id?: string;
            missing: components["schemas"]["LabQuestion"][];
            /** @description Words that were not read. */
            unread: {
                from: number;
                to: number;
                text: string;
            }[];
            /** @description The rule without the words that were not read; "yes" takes it. */
            proposal?: {
                spec: components["schemas"]["RuleSpec"];
                say: string;
                /** @description What was taken for granted or worked out. */
                assumptions: {
                    field: string;
                    value: string;
                    why: string;
                }[];
                /** @description What differs from the version before. */
                changed: {
                    field: string;
                    from: string | null;
                    to: string | null;
                }[];
            };
            /** @description Which characters of the message were read as which part. */
            read: {
                from: number;
                to: number;
                field: string;
            }[];
        } | {
            /** @constant */
            kind: "error";
            say: string;
            /**
             * @description An idea of the account.
             * @example i_4fQ8sK2mZx0T
             */
            id?: string;
            errors: string[];
            /** @description Words that were not read. */
            unread: {
                from: number;
                to: number;
                text: string;
            }[];
            /** @description Which characters of the message were read as which part. */
            read: {
                from: number;
                to: number;
                field: string;
            }[];
        };
        /** @description Something that a rule still needs. */
        LabQuestion: {
            slot: string;
            ask: string;
            unit: string;
            options?: string[];
        };
        /** @description How the LAB API says what is wrong. */
        LabFailure: {
            /** @description What is wrong, in one sentence. */
            error: string;
            /** @description The product to buy. */
            buy?: string;
            /** @description The idea on the conveyor. */
            holder?: string;
            /** @description The test that is under way, or failed. */
            job?: string;
            /** @description Whether the credit was given back. */
            refunded?: boolean;
        } & {
            [key: string]: unknown;
        };
        /** @description What a test found; null: the idea was deleted since. */
        LabRunAnswer: {
            idea: components["schemas"]["LabIdea"] | null;
            result: components["schemas"]["LabResult"];
            state: components["schemas"]["LabState"];
        };
        LabIdea: {
            /**
             * @description An idea of the account.
             * @example i_4fQ8sK2mZx0T
             */
            id: string;
            name: string;
            /** @enum {string} */
            stage: "rule" | "tested" | "ready" | "desk";
            /** @description Null while a question is open. */
            spec: components["schemas"]["RuleSpec"] | null;
            /** @description Of the rule as it is now; whole ones are at /api/lab/result. */
            results: {
                backtest?: components["schemas"]["LabTested"];
                quant?: components["schemas"]["LabTested"];
            } | null;
            /** @description Of the desk: whether it runs each minute. */
            on: boolean;
            /** @enum {string} */
            draw: "off" | "levels" | "trades";
            /** @enum {string} */
            alert: "off" | "telegram" | "email" | "webhook";
            /** @description The open questions. */
            missing?: string[];
        };
        /** @description A result in a few figures. */
        LabTested: {
            job: string;
            /** @description ISO 8601, UTC. */
            at: string;
            /** @description Newest session it was tested on. */
            to: string;
            legs: {
                title: string;
                interesting: boolean;
                net_rr_t: number | null;
                n: number;
                mean: number | null;
                sentence: string;
            }[];
            variants_tried?: number;
        };
        /** @description What a run of LAB found. */
        LabResult: {
            /** @enum {string} */
            kind: "backtest" | "quant" | "struct";
            job: string;
            rule_hash: string;
            say: string;
            data: {
                /** @enum {string} */
                kind: "real" | "simulated";
                /** @description ET trading day, YYYY-MM-DD. */
                from: string;
                /** @description ET trading day, YYYY-MM-DD. */
                to: string;
                /** @description Sessions. */
                used: number;
                hash: string;
                left_out: {
                    /** @description ET trading day, YYYY-MM-DD. */
                    day: string;
                    /** @enum {string} */
                    reason: "not_published" | "damaged" | "bad_tape" | "no_minutes";
                }[];
                /** @description Published sessions of which nothing is used, as they are of another kind or symbol; absent where there are none. */
                passed_over?: {
                    /** @enum {string} */
                    reason: "simulated" | "real_bad_tape" | "real_no_minutes" | "real_damaged" | "other_symbol";
                    sessions: number;
                }[];
                /** @description Minutes in which the dealers' positions are not known (inventory_unknown), and the sessions that have any: no flip and no net gamma is known then, and mostly no wall. Absent where there are none. */
                unknown_positions?: {
                    minutes: number;
                    sessions: number;
                };
                /** @description Minutes whose index the tape lacks, so that it follows from the quotes by put-call parity, and the sessions that have any. Absent where there are none. */
                index_by_parity?: {
                    minutes: number;
                    sessions: number;
                };
            };
            assume: {
                /** @description Minutes from the decision to the fill. */
                delay_min: number;
                /** @description Share of the half spread paid. */
                spread_factor: number;
                /** @description USD a contract and side. */
                fee_usd: number;
            };
            legs: components["schemas"]["LabLeg"][];
            /** @description Sealed at the first test; null under 120 sessions, and in a struct. */
            holdout: {
                /** @description ET trading day, YYYY-MM-DD. */
                from: string;
                /** @description ET trading day, YYYY-MM-DD. */
                to: string;
                sessions: number;
            } | null;
            /** @description Sessions whose trades no figure but the verdict counts, until the idea is on the desk and they are opened; null: none. */
            sealed?: {
                /** @description ET trading day, YYYY-MM-DD. */
                from: string;
                /** @description ET trading day, YYYY-MM-DD. */
                to: string;
                sessions: number;
            } | null;
            /** @description How often this idea, and all of its kind, were tried. */
            lineage: {
                versions: number;
                trials: number;
                looks: number;
                family_trials: number;
                family_looks: number;
            };
            sensitivity: {
                /** @description Such as "spread_factor 2"; "nothing" is the test on the same sessions. */
                changed: string;
                leg: number;
                n: number;
                mean: number | null;
                t: number | null;
            }[];
            optimize?: components["schemas"]["LabOptimize"];
            /** @description Each statistical word of the result, in one plain sentence. */
            words?: {
                word: string;
                means: string;
            }[];
            /** @description The result in plain sentences. */
            says: string[];
        };
        /** @description One trade of the rule with its conditions. */
        LabLeg: {
            title: string;
            eras: {
                /** @description All sessions but the sealed ones. */
                all: components["schemas"]["LabEra"];
                /** @description Null: all sessions of the year are sealed. */
                this_year: components["schemas"]["LabEra"] | null;
                holdout: components["schemas"]["LabEra"] | null;
                /** @description Sessions after the first test. */
                since?: components["schemas"]["LabEra"] | null;
            };
            /** @description Null in a struct, which has none. */
            verdict: components["schemas"]["LabVerdict"] | null;
            /** @description One value a session; 0 on days without a trade. */
            series: {
                day: string[];
                n: number[];
                r: number[];
                usd: number[];
                total_usd: number[];
                drawdown_usd: number[];
                /** @description Mean trade of the core, USD. */
                core_usd: number[];
            };
            histogram: {
                edges: number[];
                rule: number[];
                core: number[];
            };
            placebo: components["schemas"]["LabPlacebo"] | null;
            figures?: components["schemas"]["LabFigures"];
            seen?: components["schemas"]["LabSeen"];
        };
        LabSample: {
            /** @description Trades. */
            n: number;
            /** @description Mean r; r is profit after costs / risk. */
            mean: number | null;
            median: number | null;
            /** @description Share of trades with r above 0. */
            win: number | null;
            sum_usd: number | null;
            /** @description Deepest fall of the sum by session, at least 0. */
            drawdown_usd: number | null;
            /** @description Of the mean, clustered by session. */
            t: number | null;
        };
        /** @description A leg over a stretch of sessions. */
        LabEra: {
            /** @description ET trading day, YYYY-MM-DD. */
            from: string;
            /** @description ET trading day, YYYY-MM-DD. */
            to: string;
            sessions: number;
            /** @description Sessions with a trade of the rule. */
            days: number;
            /** @description Trades of the rule. */
            n: number;
            /** @description Trades that count, once those of a session are alike. */
            n_eff: number | null;
            runs_z: number | null;
            /** @description Chance that 20 trades in a row lose money. */
            prob_loss_20: number | null;
            rule: components["schemas"]["LabSample"];
            /** @description The same trades without the conditions. */
            core: components["schemas"]["LabSample"];
            /** @description Mean r of the rule less that of the core. */
            net_rr: number | null;
            net_rr_t: number | null;
            dof: number | null;
            /** @description Two-sided, of net_rr_t, from Student t. */
            p: number | null;
            unresolved: number;
            /** @description Chances without a trade, by reason. */
            missed: {
                [key: string]: number;
            };
            /** @description Why a figure is null, by its name: "12 days; 20 are needed". */
            reasons: {
                [key: string]: string;
            };
        };
        LabVerdict: {
            interesting: boolean;
            net_rr_t: number | null;
            placebo_p: number | null;
            /** @description What placebo_p may be at most. */
            bar: number | null;
            gates: components["schemas"]["LabGate"][];
            /** @description Of a rule without conditions, which has no baseline to beat. */
            clears_cost: {
                mean: number | null;
                t: number | null;
                p: number | null;
            } | null;
            sentence: string;
        };
        LabGate: {
            gate: string;
            value: number | null;
            /** @description In words with its number: "at least 2". */
            need: string;
            ok: boolean;
            says: string;
        };
        /** @description The same triggers on other days. */
        LabPlacebo: {
            arrangements: number;
            shuffles: number;
            p: number | null;
            /** @description Of the rule itself. */
            t: number | null;
            /** @description Of t over the arrangements: 0, .05, .25, .5, .75, .95, 1; or none. */
            quantiles: number[];
            histogram: {
                edges: number[];
                counts: number[];
            };
        };
        /** @description Trades of the rule in all sessions but sealed ones. */
        LabFigures: {
            average_win_usd: number | null;
            /** @description Below 0. */
            average_loss_usd: number | null;
            /** @description All gains by all losses. */
            profit_factor: number | null;
            largest_win_usd: number | null;
            /** @description Below 0. */
            largest_loss_usd: number | null;
            /** @description Most USD at risk at one time. */
            capital_usd: number | null;
            /** @description By how they ended. */
            exits: components["schemas"]["LabGroup"][];
            weekdays: components["schemas"]["LabGroup"][];
            /** @description By YYYY-MM of the entry. */
            months: components["schemas"]["LabGroup"][];
            /** @description Why a figure is null. */
            reasons: {
                [key: string]: string;
            };
        };
        /** @description Trades of a weekday, a month or a way to end. */
        LabGroup: {
            name: string;
            /** @description Trades of the rule. */
            n: number;
            mean: number | null;
            win: number | null;
            sum_usd: number;
        };
        /** @description The smallest effect that the holdout could show. */
        LabSeen: {
            /** @description Of the holdout. */
            sessions: number;
            /** @description Smallest effect that is seen in 4 of 5 cases, of the risk. */
            effect: number | null;
            /** @description A smaller one: that before the holdout, or half. */
            wanted: number | null;
            /** @description To see that one in 4 of 5 cases. */
            sessions_needed: number | null;
            /** @description Why the figures are null. */
            reason: string | null;
            says: string;
        };
        /** @description Every variant; none is picked. */
        LabOptimize: {
            axes: {
                /** @description Such as core.width or when.0.v. */
                field: string;
                label: string;
                unit: string;
                values: (number | string)[];
                own: number;
            }[];
            is_full_grid: boolean;
            variants_tried: number;
            /** @description All of them, in the order of parameters. */
            variants: components["schemas"]["LabVariant"][];
            planes: {
                /** @description Place of the axis. */
                x: number;
                y: number;
                /** @description A row each value of y. */
                mean: (number | null)[][];
                n: number[][];
            }[];
            deflated_sharpe: number | null;
            pbo: number | null;
            reality_check_p: number | null;
            /** @description sqrt(2 ln N): the best t expected from luck. */
            luck_t: number;
            reasons: {
                [key: string]: string;
            };
            says: string[];
        };
        LabVariant: {
            /** @description One value an axis. */
            params: (number | string)[];
            /** @description The rule as it stands. */
            is_own: boolean;
            n: number;
            days: number;
            mean: number | null;
            median: number | null;
            win: number | null;
            t: number | null;
            drawdown_usd: number | null;
            /** @description Mean r less that of the core; of two trades each beside its own core. */
            net_rr: number | null;
            neighbours: {
                n: number;
                mean: number | null;
                share_above_0: number | null;
            };
        };
        LabState: {
            /** @description Oldest first. */
            ideas: components["schemas"]["LabIdea"][];
            /** @description The idea that holds the conveyor. */
            conveyor: string | null;
            /** @description Credits. */
            balance: {
                monthly: number;
                purchased: number;
                total: number;
            };
            /** @description The test of an idea that is under way. */
            job?: components["schemas"]["LabJob"];
        };
        /** @description A test of an idea, or of a rule alone. */
        LabJob: {
            /** @example j_4fQ8sK2mZx0T */
            id: string;
            /** @enum {string} */
            kind: "backtest" | "quant" | "struct";
            /** @description The idea it is of; null of a struct. */
            idea: string | null;
            /** @enum {string} */
            state: "queued" | "running" | "done" | "failed";
            progress: {
                done: number;
                total: number;
            };
            /** @description Why it failed. */
            error?: string;
            /** @description Whether the credit was given back. */
            refunded?: boolean;
        };
        /** @description A test that is under way. */
        LabJobBegun: {
            job: components["schemas"]["LabJob"];
            state: components["schemas"]["LabState"];
        };
        /** @description The idea as it is now; null: it is deleted. */
        LabActionAnswer: {
            idea: components["schemas"]["LabIdea"] | null;
            state: components["schemas"]["LabState"];
        };
        LabTrades: {
            job: string;
            /** @description Rows of the job. */
            total: number;
            trades: components["schemas"]["LabTrade"][];
        };
        /** @description A trade of the core, or a chance that was none. */
        LabTrade: {
            /** @description Which leg of the rule: 0 or 1. */
            rule_leg: number;
            session_date: string;
            /** @enum {string} */
            era: "design" | "holdout" | "since";
            /** @description ET minute, HH:MM. */
            decided_et: string;
            filled_et: string | null;
            /** @description The place of the session that it is. */
            slot: number | null;
            is_fixed: boolean | null;
            /** @description Whether all conditions held. */
            in_rule: boolean;
            /** @description Why there was no trade; null: there was. */
            missed: string | null;
            conditions: {
                value: number | null;
                holds: boolean | null;
            }[];
            legs: {
                /** @enum {string} */
                option_type: "C" | "P";
                /** @description 1 bought, -1 sold. */
                sign: number;
                asked_strike: number;
                strike: number;
                entry_bid: number | null;
                entry_ask: number | null;
                entry_mid: number | null;
                entry_half_spread: number | null;
                entry_source: ("quote" | "smile") | null;
                exit_bid: number | null;
                exit_ask: number | null;
                exit_mid: number | null;
                exit_half_spread: number | null;
                exit_source: ("quote" | "smile") | null;
            }[];
            /** @description Points received, or paid below 0. */
            net: number | null;
            exit_reason: string | null;
            exit_date: string | null;
            exit_et: string | null;
            is_late: boolean | null;
            close_net: number | null;
            settlement: number | null;
            /** @description Null with is_sealed, as all from exit_reason on but risk_usd. */
            fees_usd: number | null;
            pnl_usd: number | null;
            risk_usd: number | null;
            /** @description pnl_usd / risk_usd. */
            r: number | null;
            worst_usd: number | null;
            /** @description Whether what came after the entry is not shown, as the session is sealed. */
            is_sealed: boolean;
        };
        /** @description How far a test is, and what it found. */
        LabJobAnswer: {
            job: components["schemas"]["LabJob"];
            result?: components["schemas"]["LabResult"];
        };
        LabThread: {
            /**
             * @description An idea of the account.
             * @example i_4fQ8sK2mZx0T
             */
            id: string;
            messages: {
                n: number;
                /** @description ISO 8601, UTC. */
                at: string;
                /** @enum {string} */
                from: "you" | "lab";
                text: string;
                kind?: string;
                version?: number;
                rule_hash?: string;
                missing?: string[];
                errors?: string[];
            }[];
        };
        /** @description All that the parser reads, from its own table. */
        LabVocabulary: {
            version: number;
            grammar: {
                phrases: {
                    id: string;
                    field: string;
                    phrase: string;
                }[];
                synonyms: {
                    [key: string]: string;
                };
                values: {
                    [key: string]: string;
                };
                fillers: string[];
            } & {
                [key: string]: unknown;
            };
            structures: {
                structure: string;
                says: string;
                synonyms: string[];
            }[];
            slots: {
                slot: string;
                ask: string | null;
                unit: string;
                min: number | string | null;
                max: number | string | null;
                step: number | null;
                default: number | string | null;
                synonyms: string[];
                options?: string[];
            }[];
            conditions: {
                f: string;
                ops: string[];
                unit: string | null;
                min: number | null;
                max: number | null;
                says: string[];
                null_when: string;
            }[];
            units: {
                [key: string]: string;
            };
            times: {
                zone: string;
                entry: string[];
                examples: string[];
                afternoon: string;
            };
            refusals: {
                id: string;
                reason: string;
                words: string;
            }[];
            examples: string[];
            limits: {
                [key: string]: number;
            };
        } & {
            [key: string]: unknown;
        };
        GeoItems: {
            /**
             * @description A day, UTC.
             * @example 2026-10-14
             */
            from: string;
            /**
             * @description A day, UTC.
             * @example 2026-10-14
             */
            to: string;
            /**
             * @description Nothing that became known later is in it.
             * @example 2026-10-14T12:30:00Z
             */
            as_of: string;
            /** @description True where a simulator made any of it. */
            simulated: boolean;
            /** @description How to read it, in words. */
            note: string;
            /** @description Newest day first. */
            readonly items: components["schemas"]["GeoItem"][];
            /** @description For the next page, with the same other parameters; null: this is the last one. */
            next_cursor: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description How the Geo API says what is wrong. */
        GeoFailure: {
            /** @description What is wrong, in one sentence. */
            error: string;
        } & {
            [key: string]: unknown;
        };
        GeoWeeks: {
            /**
             * @description Nothing that became known later is in it.
             * @example 2026-10-14T12:30:00Z
             */
            as_of: string;
            /** @description Weeks that have items, newest first. */
            readonly weeks: ({
                /**
                 * @description A week of ISO 8601, Monday to Sunday.
                 * @example 2026-W42
                 */
                week: string;
                /**
                 * @description A day, UTC.
                 * @example 2026-10-14
                 */
                from: string;
                /**
                 * @description A day, UTC.
                 * @example 2026-10-14
                 */
                to: string;
                items: number;
                /** @description Items that are releases. */
                releases: number;
                /** @description Events, added up. */
                events: number;
                /** @description Null where nobody counted any. */
                mentions: number | null;
                /** @description How many countries have items. */
                countries: number;
                /** @description Whether each source of the week is known beyond its end. */
                complete: boolean;
                /** @description True where a simulator made any of it. */
                simulated: boolean;
                /** @description SPX sessions of the week. */
                readonly sessions: components["schemas"]["Day"][];
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        GeoCountries: {
            /**
             * @description A week of ISO 8601, Monday to Sunday.
             * @example 2026-W42
             */
            week: string;
            /**
             * @description A day, UTC.
             * @example 2026-10-14
             */
            from: string;
            /**
             * @description A day, UTC.
             * @example 2026-10-14
             */
            to: string;
            /**
             * @description Nothing that became known later is in it.
             * @example 2026-10-14T12:30:00Z
             */
            as_of: string;
            /** @description True where a simulator made any of it. */
            simulated: boolean;
            /** @description How to read it, in words. */
            note: string;
            /** @description Most events first. */
            readonly countries: ({
                /** @example UA */
                country: string;
                /** @example Ukraine */
                name: string;
                items: number;
                /** @description Items that are releases. */
                releases: number;
                /** @description Events, added up. */
                events: number;
                /** @description Null where nobody counted any. */
                mentions: number | null;
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        GeoHealth: {
            /**
             * @description Nothing that became known later is in it.
             * @example 2026-10-14T12:30:00Z
             */
            as_of: string;
            readonly sources: ({
                /**
                 * @description Who says so; `/v1/sources` has them.
                 * @example gdelt
                 */
                source: string;
                /** @description When the newest record of it became known; null where there is none. */
                newest_known_at: string | null;
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        GeoSources: {
            readonly sources: ({
                /**
                 * @description Who says so; `/v1/sources` has them.
                 * @example gdelt
                 */
                source: string;
                name: string;
                url: string | null;
                /** @description What may be done with it. */
                licence: string;
                /** @description What to write beside it. */
                citation: string;
                /** @description When the newest record of it became known; null where there is none. */
                newest_known_at: string | null;
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        GeoUsage: {
            /**
             * @description A month, UTC.
             * @example 2026-10
             */
            month: string;
            /** @example geo */
            plan: string;
            /** @description Calls of all keys of the account. */
            used: number;
            /** @example 10000 */
            limit: number;
            /**
             * @description When the next month begins.
             * @example 2026-10-14T12:30:00Z
             */
            resets_at: string;
            keys: {
                /** @description Keys of the account that work. */
                used: number;
                /**
                 * @description Keys that the plan lets work.
                 * @example 2
                 */
                max: number;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readDay: {
        parameters: {
            query: {
                /**
                 * @description An ET trading day.
                 * @example 2026-10-14
                 */
                day: components["schemas"]["Day"];
                asof?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ledger of one session */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a day of the account (draft-ietf-httpapi-ratelimit-headers).
                     * @example "day";q=20000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description Calls left today, and seconds until midnight ET.
                     * @example "day";r=19999;t=52200
                     */
                    RateLimit: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /** @description Beside a table: what `note` is in JSON. */
                    "X-Note"?: unknown;
                    /** @description Beside a table: the grade of its tape. */
                    "X-Tape-Grade"?: unknown;
                    /** @description Beside a table: the gaps of its tape, such as `10:01-10:03, 11:15`. */
                    "X-Tape-Gaps"?: unknown;
                    /** @description `true` when the tape was made by the simulator: no such trades took place. */
                    "X-Simulated"?: unknown;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "day": "2026-10-14",
                     *       "sym": "SPX",
                     *       "min_premium": 100000,
                     *       "asof": "16:15:00",
                     *       "book": "measured",
                     *       "simulated": false,
                     *       "tape": {
                     *         "grade": "good",
                     *         "reasons": [],
                     *         "gaps": [
                     *           {
                     *             "from": "15:31",
                     *             "to": "15:33",
                     *             "minutes": 3
                     *           }
                     *         ]
                     *       },
                     *       "orders": [
                     *         {
                     *           "oid": "20261014-130012345678-1",
                     *           "t": "13:00",
                     *           "g": 1.325330518,
                     *           "g_null": null,
                     *           "kind": "vertical",
                     *           "legs": "5950/5970P",
                     *           "lg": [
                     *             [
                     *               5950,
                     *               "P",
                     *               1
                     *             ],
                     *             [
                     *               5970,
                     *               "P",
                     *               -1
                     *             ]
                     *           ],
                     *           "exp": "2026-10-14",
                     *           "size": 1000,
                     *           "contracts": 2000,
                     *           "net": 0.15,
                     *           "flip": 5.1899416,
                     *           "side": "under",
                     *           "confidence": 0.98,
                     *           "fold": "conditions",
                     *           "flags": [],
                     *           "p": 0.8261,
                     *           "sign_null": null,
                     *           "rule": "island 1000 us",
                     *           "prints": 2,
                     *           "flip_convention": 12.4407219,
                     *           "side_convention": "under"
                     *         }
                     *       ],
                     *       "stats": {
                     *         "n": 1,
                     *         "net": 0.15,
                     *         "no_side": 0,
                     *         "no_gamma": 0,
                     *         "gamma_up": 1,
                     *         "gamma_dn": 0,
                     *         "gamma_flat": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Ledger"];
                    "text/csv": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.apache.arrow.stream": unknown;
                };
            };
            /** @description What the client has, by its If-None-Match, is the newest there is. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a day of the account (draft-ietf-httpapi-ratelimit-headers).
                     * @example "day";q=20000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description Calls left today, and seconds until midnight ET.
                     * @example "day";r=19999;t=52200
                     */
                    RateLimit: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /** @description Beside a table: what `note` is in JSON. */
                    "X-Note"?: unknown;
                    /** @description Beside a table: the grade of its tape. */
                    "X-Tape-Grade"?: unknown;
                    /** @description Beside a table: the gaps of its tape, such as `10:01-10:03, 11:15`. */
                    "X-Tape-Gaps"?: unknown;
                    /** @description `true` when the tape was made by the simulator: no such trades took place. */
                    "X-Simulated"?: unknown;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readLatest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ledger of the newest session */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a day of the account (draft-ietf-httpapi-ratelimit-headers).
                     * @example "day";q=20000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description Calls left today, and seconds until midnight ET.
                     * @example "day";r=19999;t=52200
                     */
                    RateLimit: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /** @description Beside a table: what `note` is in JSON. */
                    "X-Note"?: unknown;
                    /** @description Beside a table: the grade of its tape. */
                    "X-Tape-Grade"?: unknown;
                    /** @description Beside a table: the gaps of its tape, such as `10:01-10:03, 11:15`. */
                    "X-Tape-Gaps"?: unknown;
                    /** @description `true` when the tape was made by the simulator: no such trades took place. */
                    "X-Simulated"?: unknown;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "day": "2026-10-14",
                     *       "sym": "SPX",
                     *       "min_premium": 100000,
                     *       "asof": "16:15:00",
                     *       "book": "measured",
                     *       "simulated": false,
                     *       "tape": {
                     *         "grade": "good",
                     *         "reasons": [],
                     *         "gaps": [
                     *           {
                     *             "from": "15:31",
                     *             "to": "15:33",
                     *             "minutes": 3
                     *           }
                     *         ]
                     *       },
                     *       "orders": [
                     *         {
                     *           "oid": "20261014-130012345678-1",
                     *           "t": "13:00",
                     *           "g": 1.325330518,
                     *           "g_null": null,
                     *           "kind": "vertical",
                     *           "legs": "5950/5970P",
                     *           "lg": [
                     *             [
                     *               5950,
                     *               "P",
                     *               1
                     *             ],
                     *             [
                     *               5970,
                     *               "P",
                     *               -1
                     *             ]
                     *           ],
                     *           "exp": "2026-10-14",
                     *           "size": 1000,
                     *           "contracts": 2000,
                     *           "net": 0.15,
                     *           "flip": 5.1899416,
                     *           "side": "under",
                     *           "confidence": 0.98,
                     *           "fold": "conditions",
                     *           "flags": [],
                     *           "p": 0.8261,
                     *           "sign_null": null,
                     *           "rule": "island 1000 us",
                     *           "prints": 2,
                     *           "flip_convention": 12.4407219,
                     *           "side_convention": "under"
                     *         }
                     *       ],
                     *       "stats": {
                     *         "n": 1,
                     *         "net": 0.15,
                     *         "no_side": 0,
                     *         "no_gamma": 0,
                     *         "gamma_up": 1,
                     *         "gamma_dn": 0,
                     *         "gamma_flat": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Ledger"];
                    "text/csv": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.apache.arrow.stream": unknown;
                };
            };
            /** @description What the client has, by its If-None-Match, is the newest there is. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a day of the account (draft-ietf-httpapi-ratelimit-headers).
                     * @example "day";q=20000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description Calls left today, and seconds until midnight ET.
                     * @example "day";r=19999;t=52200
                     */
                    RateLimit: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /** @description Beside a table: what `note` is in JSON. */
                    "X-Note"?: unknown;
                    /** @description Beside a table: the grade of its tape. */
                    "X-Tape-Grade"?: unknown;
                    /** @description Beside a table: the gaps of its tape, such as `10:01-10:03, 11:15`. */
                    "X-Tape-Gaps"?: unknown;
                    /** @description `true` when the tape was made by the simulator: no such trades took place. */
                    "X-Simulated"?: unknown;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readOrdersStream: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Id of the last event the client has.
                 * @example 2026-10-15T11:14
                 */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The changes of the ledger as each state is published */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a day of the account (draft-ietf-httpapi-ratelimit-headers).
                     * @example "day";q=20000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description Calls left today, and seconds until midnight ET.
                     * @example "day";r=19999;t=52200
                     */
                    RateLimit: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id: 2026-10-15T11:14
                     *     event: orders
                     *     data: {"day":"2026-10-15","t":"11:14","from":"11:13","orders":[],"ended":[]}
                     */
                    "text/event-stream": string;
                };
            };
        };
    };
    readSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions that have a ledger */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a day of the account (draft-ietf-httpapi-ratelimit-headers).
                     * @example "day";q=20000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description Calls left today, and seconds until midnight ET.
                     * @example "day";r=19999;t=52200
                     */
                    RateLimit: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sessions": [
                     *         "2026-10-13",
                     *         "2026-10-14"
                     *       ],
                     *       "first": "2026-10-13",
                     *       "last": "2026-10-14"
                     *     }
                     */
                    "application/json": components["schemas"]["Sessions"];
                };
            };
            /** @description What the client has, by its If-None-Match, is the newest there is. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a day of the account (draft-ietf-httpapi-ratelimit-headers).
                     * @example "day";q=20000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description Calls left today, and seconds until midnight ET.
                     * @example "day";r=19999;t=52200
                     */
                    RateLimit: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readPositions: {
        parameters: {
            query?: {
                /**
                 * @description One position.
                 * @example p_4fQ8sK2mZx0T
                 */
                id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The positions of the account, or one of them */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a day of the account (draft-ietf-httpapi-ratelimit-headers).
                     * @example "day";q=20000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description Calls left today, and seconds until midnight ET.
                     * @example "day";r=19999;t=52200
                     */
                    RateLimit: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "positions": [
                     *         {
                     *           "id": "p_4fQ8sK2mZx0T",
                     *           "kind": "condor",
                     *           "legs": {
                     *             "lp": 5930,
                     *             "sp": 5950,
                     *             "sc": 6050,
                     *             "lc": 6070
                     *           },
                     *           "entry": "10:30",
                     *           "conditions": [
                     *             {
                     *               "id": "short_dist_em",
                     *               "on": true,
                     *               "threshold": 1
                     *             },
                     *             {
                     *               "id": "short_dist_pts",
                     *               "on": true,
                     *               "threshold": 15
                     *             },
                     *             {
                     *               "id": "short_delta",
                     *               "on": true,
                     *               "threshold": 0.2
                     *             },
                     *             {
                     *               "id": "gamma_negative",
                     *               "on": true,
                     *               "threshold": 0
                     *             },
                     *             {
                     *               "id": "flip_near",
                     *               "on": true,
                     *               "threshold": 15
                     *             },
                     *             {
                     *               "id": "under_flip",
                     *               "on": true,
                     *               "threshold": 0
                     *             },
                     *             {
                     *               "id": "wall_missing",
                     *               "on": true,
                     *               "threshold": 1
                     *             },
                     *             {
                     *               "id": "order_near_short",
                     *               "on": true,
                     *               "threshold": 5
                     *             },
                     *             {
                     *               "id": "flow_removes_gamma",
                     *               "on": true,
                     *               "threshold": 50
                     *             },
                     *             {
                     *               "id": "move_used",
                     *               "on": true,
                     *               "threshold": 0.7
                     *             },
                     *             {
                     *               "id": "move_15m",
                     *               "on": true,
                     *               "threshold": 0.35
                     *             },
                     *             {
                     *               "id": "vol_up",
                     *               "on": true,
                     *               "threshold": 15
                     *             },
                     *             {
                     *               "id": "time_left",
                     *               "on": true,
                     *               "threshold": 45
                     *             },
                     *             {
                     *               "id": "gap",
                     *               "on": true,
                     *               "threshold": 0.6
                     *             },
                     *             {
                     *               "id": "skew",
                     *               "on": true,
                     *               "threshold": 6
                     *             }
                     *           ],
                     *           "label": {
                     *             "caution": 3,
                     *             "skip": 5
                     *           },
                     *           "alert": {
                     *             "channel": "off",
                     *             "url": null,
                     *             "before": 30
                     *           },
                     *           "session": "2026-10-14"
                     *         }
                     *       ],
                     *       "max": 5,
                     *       "catalogue": {
                     *         "kinds": [
                     *           {
                     *             "kind": "condor",
                     *             "legs": [
                     *               "lp",
                     *               "sp",
                     *               "sc",
                     *               "lc"
                     *             ]
                     *           },
                     *           {
                     *             "kind": "strangle",
                     *             "legs": [
                     *               "sp",
                     *               "sc"
                     *             ]
                     *           },
                     *           {
                     *             "kind": "put_spread",
                     *             "legs": [
                     *               "lp",
                     *               "sp"
                     *             ]
                     *           },
                     *           {
                     *             "kind": "call_spread",
                     *             "legs": [
                     *               "sc",
                     *               "lc"
                     *             ]
                     *           }
                     *         ],
                     *         "conditions": [
                     *           {
                     *             "id": "short_dist_em",
                     *             "meaning": "distance of the nearest short strike, in remaining expected moves",
                     *             "unit": "em",
                     *             "on_when": "<",
                     *             "default": 1,
                     *             "min": 0.25,
                     *             "max": 3,
                     *             "kinds": [
                     *               "condor",
                     *               "strangle",
                     *               "put_spread",
                     *               "call_spread"
                     *             ]
                     *           },
                     *           {
                     *             "id": "short_dist_pts",
                     *             "meaning": "distance of the nearest short strike, points",
                     *             "unit": "pt",
                     *             "on_when": "<",
                     *             "default": 15,
                     *             "min": 0,
                     *             "max": 200,
                     *             "kinds": [
                     *               "condor",
                     *               "strangle",
                     *               "put_spread",
                     *               "call_spread"
                     *             ]
                     *           },
                     *           {
                     *             "id": "short_delta",
                     *             "meaning": "largest absolute delta of a short strike",
                     *             "unit": "delta",
                     *             "on_when": ">",
                     *             "default": 0.2,
                     *             "min": 0.02,
                     *             "max": 0.6,
                     *             "kinds": [
                     *               "condor",
                     *               "strangle",
                     *               "put_spread",
                     *               "call_spread"
                     *             ]
                     *           },
                     *           {
                     *             "id": "gamma_negative",
                     *             "meaning": "dealer net gamma at spot below minus the threshold",
                     *             "unit": "musd_pt",
                     *             "on_when": "<-",
                     *             "default": 0,
                     *             "min": 0,
                     *             "max": 5000,
                     *             "kinds": [
                     *               "condor",
                     *               "strangle",
                     *               "put_spread",
                     *               "call_spread"
                     *             ]
                     *           },
                     *           {
                     *             "id": "flip_near",
                     *             "meaning": "distance to the flip",
                     *             "unit": "pt",
                     *             "on_when": "<",
                     *             "default": 15,
                     *             "min": 0,
                     *             "max": 100,
                     *             "kinds": [
                     *               "condor",
                     *               "strangle",
                     *               "put_spread",
                     *               "call_spread"
                     *             ]
                     *           },
                     *           {
                     *             "id": "under_flip",
                     *             "meaning": "spot under the flip by at least",
                     *             "unit": "pt",
                     *             "on_when": ">=",
                     *             "default": 0,
                     *             "min": 0,
                     *             "max": 100,
                     *             "kinds": [
                     *               "condor",
                     *               "strangle",
                     *               "put_spread"
                     *             ]
                     *           },
                     *           {
                     *             "id": "wall_missing",
                     *             "meaning": "short sides with no wall between spot and the short strike",
                     *             "unit": "sides",
                     *             "on_when": ">=",
                     *             "default": 1,
                     *             "min": 1,
                     *             "max": 2,
                     *             "kinds": [
                     *               "condor",
                     *               "strangle",
                     *               "put_spread",
                     *               "call_spread"
                     *             ]
                     *           },
                     *           {
                     *             "id": "order_near_short",
                     *             "meaning": "premium of large orders near a short strike that removed dealer gamma, last 30 min, within 10 points",
                     *             "unit": "musd",
                     *             "on_when": ">=",
                     *             "default": 5,
                     *             "min": 0.5,
                     *             "max": 100,
                     *             "kinds": [
                     *               "condor",
                     *               "strangle",
                     *               "put_spread",
                     *               "call_spread"
                     *             ]
                     *           },
                     *           {
                     *             "id": "flow_removes_gamma",
                     *             "meaning": "net dealer gamma of large orders over the last 60 min at or below minus the threshold",
                     *             "unit": "musd_pt",
                     *             "on_when": "<=-",
                     *             "default": 50,
                     *             "min": 1,
                     *             "max": 2000,
                     *             "kinds": [
                     *               "condor",
                     *               "strangle",
                     *               "put_spread",
                     *               "call_spread"
                     *             ]
                     *           },
                     *           {
                     *             "id": "move_used",
                     *             "meaning": "move from the open over the session expected move",
                     *             "unit": "em",
                     *             "on_when": ">=",
                     *             "default": 0.7,
                     *             "min": 0.1,
                     *             "max": 2,
                     *             "kinds": [
                     *               "condor",
                     *               "strangle",
                     *               "put_spread",
                     *               "call_spread"
                     *             ]
                     *           },
                     *           {
                     *             "id": "move_15m",
                     *             "meaning": "move of the last 15 minutes over the session expected move",
                     *             "unit": "em",
                     *             "on_when": ">=",
                     *             "default": 0.35,
                     *             "min": 0.05,
                     *             "max": 1.5,
                     *             "kinds": [
                     *               "condor",
                     *               "strangle",
                     *               "put_spread",
                     *               "call_spread"
                     *             ]
                     *           },
                     *           {
                     *             "id": "vol_up",
                     *             "meaning": "remaining straddle against its square-root-of-time path since the first minute",
                     *             "unit": "pct",
                     *             "on_when": ">=",
                     *             "default": 15,
                     *             "min": 0,
                     *             "max": 100,
                     *             "kinds": [
                     *               "condor",
                     *               "strangle",
                     *               "put_spread",
                     *               "call_spread"
                     *             ]
                     *           },
                     *           {
                     *             "id": "time_left",
                     *             "meaning": "minutes to the close",
                     *             "unit": "min",
                     *             "on_when": "<",
                     *             "default": 45,
                     *             "min": 5,
                     *             "max": 385,
                     *             "kinds": [
                     *               "condor",
                     *               "strangle",
                     *               "put_spread",
                     *               "call_spread"
                     *             ]
                     *           },
                     *           {
                     *             "id": "gap",
                     *             "meaning": "opening gap",
                     *             "unit": "pct",
                     *             "on_when": ">=",
                     *             "default": 0.6,
                     *             "min": 0,
                     *             "max": 5,
                     *             "kinds": [
                     *               "condor",
                     *               "strangle",
                     *               "put_spread",
                     *               "call_spread"
                     *             ]
                     *           },
                     *           {
                     *             "id": "skew",
                     *             "meaning": "volatility one expected move below minus one above, points",
                     *             "unit": "vol_pt",
                     *             "on_when": ">=",
                     *             "default": 6,
                     *             "min": 0,
                     *             "max": 50,
                     *             "kinds": [
                     *               "condor",
                     *               "strangle",
                     *               "put_spread"
                     *             ]
                     *           }
                     *         ],
                     *         "label": {
                     *           "caution": 3,
                     *           "skip": 5
                     *         },
                     *         "alert": {
                     *           "channel": "off",
                     *           "url": null,
                     *           "before": 30
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PositionList"] | components["schemas"]["OnePosition"];
                };
            };
            /** @description What the client has, by its If-None-Match, is the newest there is. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a day of the account (draft-ietf-httpapi-ratelimit-headers).
                     * @example "day";q=20000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description Calls left today, and seconds until midnight ET.
                     * @example "day";r=19999;t=52200
                     */
                    RateLimit: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changePositions: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Printable ASCII, new for each change, such as a UUID.
                 * @example 0f8fad5b-d9cb-469f-a165-70867728950e
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PositionChange"];
            };
        };
        responses: {
            /** @description Add, update or remove a position */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a day of the account (draft-ietf-httpapi-ratelimit-headers).
                     * @example "day";q=20000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description Calls left today, and seconds until midnight ET.
                     * @example "day";r=19999;t=52200
                     */
                    RateLimit: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description Present when the change was made before, and its answer is given again.
                     * @example true
                     */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true,
                     *       "id": "p_4fQ8sK2mZx0T",
                     *       "position": {
                     *         "id": "p_4fQ8sK2mZx0T",
                     *         "kind": "condor",
                     *         "legs": {
                     *           "lp": 5930,
                     *           "sp": 5950,
                     *           "sc": 6050,
                     *           "lc": 6070
                     *         },
                     *         "entry": "10:30",
                     *         "conditions": [
                     *           {
                     *             "id": "short_dist_em",
                     *             "on": true,
                     *             "threshold": 1
                     *           },
                     *           {
                     *             "id": "short_dist_pts",
                     *             "on": true,
                     *             "threshold": 15
                     *           },
                     *           {
                     *             "id": "short_delta",
                     *             "on": true,
                     *             "threshold": 0.2
                     *           },
                     *           {
                     *             "id": "gamma_negative",
                     *             "on": true,
                     *             "threshold": 0
                     *           },
                     *           {
                     *             "id": "flip_near",
                     *             "on": true,
                     *             "threshold": 15
                     *           },
                     *           {
                     *             "id": "under_flip",
                     *             "on": true,
                     *             "threshold": 0
                     *           },
                     *           {
                     *             "id": "wall_missing",
                     *             "on": true,
                     *             "threshold": 1
                     *           },
                     *           {
                     *             "id": "order_near_short",
                     *             "on": true,
                     *             "threshold": 5
                     *           },
                     *           {
                     *             "id": "flow_removes_gamma",
                     *             "on": true,
                     *             "threshold": 50
                     *           },
                     *           {
                     *             "id": "move_used",
                     *             "on": true,
                     *             "threshold": 0.7
                     *           },
                     *           {
                     *             "id": "move_15m",
                     *             "on": true,
                     *             "threshold": 0.35
                     *           },
                     *           {
                     *             "id": "vol_up",
                     *             "on": true,
                     *             "threshold": 15
                     *           },
                     *           {
                     *             "id": "time_left",
                     *             "on": true,
                     *             "threshold": 45
                     *           },
                     *           {
                     *             "id": "gap",
                     *             "on": true,
                     *             "threshold": 0.6
                     *           },
                     *           {
                     *             "id": "skew",
                     *             "on": true,
                     *             "threshold": 6
                     *           }
                     *         ],
                     *         "label": {
                     *           "caution": 3,
                     *           "skip": 5
                     *         },
                     *         "alert": {
                     *           "channel": "off",
                     *           "url": null,
                     *           "before": 30
                     *         },
                     *         "session": "2026-10-14"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PositionChanged"];
                };
            };
        };
    };
    readChecks: {
        parameters: {
            query?: {
                /**
                 * @description Today in New York, when left out; `note` says why it has no minute.
                 * @example 2026-10-14
                 */
                day?: components["schemas"]["Day"];
                /**
                 * @description ET minute, 09:31 to 15:59 (12:59 on half days); the latest one when left out.
                 * @example 13:00
                 */
                t?: string;
                id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Positions judged at one minute */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a day of the account (draft-ietf-httpapi-ratelimit-headers).
                     * @example "day";q=20000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description Calls left today, and seconds until midnight ET.
                     * @example "day";r=19999;t=52200
                     */
                    RateLimit: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "day": "2026-10-14",
                     *       "t": "13:00",
                     *       "live": false,
                     *       "checks": [
                     *         {
                     *           "position_id": "p_4fQ8sK2mZx0T",
                     *           "kind": "strangle",
                     *           "label": "TRADE",
                     *           "counts": {
                     *             "on": 0,
                     *             "off": 1,
                     *             "unknown": 0
                     *           },
                     *           "label_counts": {
                     *             "caution": 1,
                     *             "skip": 1
                     *           },
                     *           "conditions": [
                     *             {
                     *               "id": "short_dist_pts",
                     *               "value": 35.25,
                     *               "unit": "pt",
                     *               "on_when": "<",
                     *               "threshold": 15,
                     *               "margin": 20.25,
                     *               "state": "off",
                     *               "reason": null
                     *             }
                     *           ],
                     *           "nearest_change": {
                     *             "label": "SKIP",
                     *             "relative": 1.35,
                     *             "conditions": [
                     *               {
                     *                 "id": "short_dist_pts",
                     *                 "margin": 20.25,
                     *                 "unit": "pt",
                     *                 "relative": 1.35
                     *               }
                     *             ]
                     *           },
                     *           "levels": {
                     *             "flip": {
                     *               "points": 5.19,
                     *               "points_lo": -5.42,
                     *               "points_hi": 16.36,
                     *               "reason": null,
                     *               "bar_reason": null
                     *             },
                     *             "call_wall": {
                     *               "points": 49.75,
                     *               "reason": null
                     *             },
                     *             "put_wall": {
                     *               "points": -25.25,
                     *               "reason": null
                     *             }
                     *           },
                     *           "shorts": [
                     *             {
                     *               "leg": "sp",
                     *               "points": 35.25,
                     *               "expected_moves": 1.444672131,
                     *               "order_count": 1,
                     *               "orders": [
                     *                 {
                     *                   "oid": "20261014-124812345678-1",
                     *                   "t": "12:48",
                     *                   "kind": "vertical",
                     *                   "points": -5,
                     *                   "premium": 7.5,
                     *                   "gamma": "removed",
                     *                   "gamma_null": null
                     *                 }
                     *               ],
                     *               "levels": {
                     *                 "flip": {
                     *                   "points": 40.44,
                     *                   "points_lo": 29.83,
                     *                   "points_hi": 51.61,
                     *                   "reason": null,
                     *                   "bar_reason": null
                     *                 },
                     *                 "call_wall": {
                     *                   "points": 85,
                     *                   "reason": null
                     *                 },
                     *                 "put_wall": {
                     *                   "points": 10,
                     *                   "reason": null
                     *                 }
                     *               }
                     *             },
                     *             {
                     *               "leg": "sc",
                     *               "points": 39.75,
                     *               "expected_moves": 1.629098361,
                     *               "order_count": 0,
                     *               "orders": [],
                     *               "levels": {
                     *                 "flip": {
                     *                   "points": -34.56,
                     *                   "points_lo": -45.17,
                     *                   "points_hi": -23.39,
                     *                   "reason": null,
                     *                   "bar_reason": null
                     *                 },
                     *                 "call_wall": {
                     *                   "points": 10,
                     *                   "reason": null
                     *                 },
                     *                 "put_wall": {
                     *                   "points": -65,
                     *                   "reason": null
                     *                 }
                     *               }
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Checks"];
                };
            };
            /** @description What the client has, by its If-None-Match, is the newest there is. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a day of the account (draft-ietf-httpapi-ratelimit-headers).
                     * @example "day";q=20000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description Calls left today, and seconds until midnight ET.
                     * @example "day";r=19999;t=52200
                     */
                    RateLimit: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readChecksStream: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Id of the last event the client has.
                 * @example 2026-10-15T11:14
                 */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The positions of the account judged at each new state */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a day of the account (draft-ietf-httpapi-ratelimit-headers).
                     * @example "day";q=20000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description Calls left today, and seconds until midnight ET.
                     * @example "day";r=19999;t=52200
                     */
                    RateLimit: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id: 2026-10-15T11:14
                     *     event: checks
                     *     data: {"day":"2026-10-15","t":"11:14","live":true,"checks":[]}
                     */
                    "text/event-stream": string;
                };
            };
        };
    };
    readTrack: {
        parameters: {
            query: {
                /**
                 * @description One position.
                 * @example p_4fQ8sK2mZx0T
                 */
                id: string;
                /**
                 * @description Today in New York, when left out; `note` says why it has no minute.
                 * @example 2026-10-14
                 */
                day?: components["schemas"]["Day"];
                /**
                 * @description ET minute, 09:31 to 15:59 (12:59 on half days); the latest one when left out.
                 * @example 13:00
                 */
                t?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The label of one position over the hour up to a minute */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a day of the account (draft-ietf-httpapi-ratelimit-headers).
                     * @example "day";q=20000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description Calls left today, and seconds until midnight ET.
                     * @example "day";r=19999;t=52200
                     */
                    RateLimit: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "day": "2026-10-14",
                     *       "t": "13:00",
                     *       "id": "p_4fQ8sK2mZx0T",
                     *       "from": "13:00",
                     *       "points": [
                     *         {
                     *           "t": "13:00",
                     *           "label": "TRADE",
                     *           "counts": {
                     *             "on": 0,
                     *             "off": 1,
                     *             "unknown": 0
                     *           },
                     *           "on": [],
                     *           "unknown": []
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Track"];
                };
            };
            /** @description What the client has, by its If-None-Match, is the newest there is. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a day of the account (draft-ietf-httpapi-ratelimit-headers).
                     * @example "day";q=20000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description Calls left today, and seconds until midnight ET.
                     * @example "day";r=19999;t=52200
                     */
                    RateLimit: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readEntries: {
        parameters: {
            query: {
                /**
                 * @description One position.
                 * @example p_4fQ8sK2mZx0T
                 */
                id: string;
                /**
                 * @description Sessions to replay; 20 when left out.
                 * @example 60
                 */
                replay?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entry minutes of one position, with past sessions replayed */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a day of the account (draft-ietf-httpapi-ratelimit-headers).
                     * @example "day";q=20000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description Calls left today, and seconds until midnight ET.
                     * @example "day";r=19999;t=52200
                     */
                    RateLimit: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "p_4fQ8sK2mZx0T",
                     *       "entry": "10:30",
                     *       "replay": 1,
                     *       "base_session": "2026-10-14",
                     *       "entries": [
                     *         {
                     *           "day": "2026-10-13",
                     *           "t": "10:30",
                     *           "error": "2026-10-13 is not published.",
                     *           "label": null,
                     *           "counts": {
                     *             "on": 0,
                     *             "off": 0,
                     *             "unknown": 0
                     *           },
                     *           "conditions": [],
                     *           "shorts": [],
                     *           "outcome": null,
                     *           "outcome_null": "not_judged"
                     *         }
                     *       ],
                     *       "summary": {
                     *         "labels": [
                     *           {
                     *             "label": "TRADE",
                     *             "entries": 0,
                     *             "held": 0,
                     *             "rate": null
                     *           },
                     *           {
                     *             "label": "CAUTION",
                     *             "entries": 0,
                     *             "held": 0,
                     *             "rate": null
                     *           },
                     *           {
                     *             "label": "SKIP",
                     *             "entries": 0,
                     *             "held": 0,
                     *             "rate": null
                     *           }
                     *         ],
                     *         "base": {
                     *           "entries": 0,
                     *           "held": 0,
                     *           "rate": null
                     *         },
                     *         "difference": null,
                     *         "sentence": "Nothing can be said: TRADE and SKIP both need entries with an outcome."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EntryLog"];
                };
            };
            /** @description What the client has, by its If-None-Match, is the newest there is. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a day of the account (draft-ietf-httpapi-ratelimit-headers).
                     * @example "day";q=20000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description Calls left today, and seconds until midnight ET.
                     * @example "day";r=19999;t=52200
                     */
                    RateLimit: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readAlerts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the account wants to be told of, and all that can be set */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a day of the account (draft-ietf-httpapi-ratelimit-headers).
                     * @example "day";q=20000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description Calls left today, and seconds until midnight ET.
                     * @example "day";r=19999;t=52200
                     */
                    RateLimit: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "list": [
                     *         {
                     *           "type": "flip_cross",
                     *           "book": "measured",
                     *           "symbol": "SPX",
                     *           "on": true,
                     *           "confirm": 2,
                     *           "margin_points": "auto",
                     *           "certain": false
                     *         },
                     *         {
                     *           "type": "wall_break",
                     *           "book": "measured",
                     *           "symbol": "SPX",
                     *           "on": true,
                     *           "walls": [
                     *             "call_wall",
                     *             "put_wall"
                     *           ],
                     *           "confirm": 2,
                     *           "margin_points": 1
                     *         },
                     *         {
                     *           "type": "regime_change",
                     *           "book": "measured",
                     *           "symbol": "SPX",
                     *           "on": true,
                     *           "confirm": 2
                     *         },
                     *         {
                     *           "type": "wall_move",
                     *           "book": "measured",
                     *           "symbol": "SPX",
                     *           "on": false,
                     *           "walls": [
                     *             "call_wall",
                     *             "put_wall"
                     *           ],
                     *           "confirm": 5,
                     *           "min_points": 5
                     *         },
                     *         {
                     *           "type": "flip_move",
                     *           "book": "measured",
                     *           "symbol": "SPX",
                     *           "on": false,
                     *           "threshold_points": 10,
                     *           "confirm": 3
                     *         },
                     *         {
                     *           "type": "level_near",
                     *           "book": "measured",
                     *           "symbol": "SPX",
                     *           "on": false,
                     *           "levels": [
                     *             "flip",
                     *             "call_wall",
                     *             "put_wall"
                     *           ],
                     *           "threshold_points": 5
                     *         },
                     *         {
                     *           "type": "flip_cross",
                     *           "book": "volume",
                     *           "symbol": "SPX",
                     *           "on": false,
                     *           "confirm": 2,
                     *           "margin_points": "auto",
                     *           "certain": false
                     *         },
                     *         {
                     *           "type": "wall_break",
                     *           "book": "volume",
                     *           "symbol": "SPX",
                     *           "on": false,
                     *           "walls": [
                     *             "call_wall",
                     *             "put_wall"
                     *           ],
                     *           "confirm": 2,
                     *           "margin_points": 1
                     *         },
                     *         {
                     *           "type": "regime_change",
                     *           "book": "volume",
                     *           "symbol": "SPX",
                     *           "on": false,
                     *           "confirm": 2
                     *         },
                     *         {
                     *           "type": "wall_move",
                     *           "book": "volume",
                     *           "symbol": "SPX",
                     *           "on": false,
                     *           "walls": [
                     *             "call_wall",
                     *             "put_wall"
                     *           ],
                     *           "confirm": 5,
                     *           "min_points": 5
                     *         },
                     *         {
                     *           "type": "flip_move",
                     *           "book": "volume",
                     *           "symbol": "SPX",
                     *           "on": false,
                     *           "threshold_points": 10,
                     *           "confirm": 3
                     *         },
                     *         {
                     *           "type": "level_near",
                     *           "book": "volume",
                     *           "symbol": "SPX",
                     *           "on": false,
                     *           "levels": [
                     *             "flip",
                     *             "call_wall",
                     *             "put_wall"
                     *           ],
                     *           "threshold_points": 5
                     *         },
                     *         {
                     *           "type": "flip_cross",
                     *           "book": "open_interest",
                     *           "symbol": "SPX",
                     *           "on": false,
                     *           "confirm": 2,
                     *           "margin_points": "auto",
                     *           "certain": false
                     *         },
                     *         {
                     *           "type": "wall_break",
                     *           "book": "open_interest",
                     *           "symbol": "SPX",
                     *           "on": false,
                     *           "walls": [
                     *             "call_wall",
                     *             "put_wall"
                     *           ],
                     *           "confirm": 2,
                     *           "margin_points": 1
                     *         },
                     *         {
                     *           "type": "regime_change",
                     *           "book": "open_interest",
                     *           "symbol": "SPX",
                     *           "on": false,
                     *           "confirm": 2
                     *         },
                     *         {
                     *           "type": "wall_move",
                     *           "book": "open_interest",
                     *           "symbol": "SPX",
                     *           "on": false,
                     *           "walls": [
                     *             "call_wall",
                     *             "put_wall"
                     *           ],
                     *           "confirm": 5,
                     *           "min_points": 5
                     *         },
                     *         {
                     *           "type": "flip_move",
                     *           "book": "open_interest",
                     *           "symbol": "SPX",
                     *           "on": false,
                     *           "threshold_points": 10,
                     *           "confirm": 3
                     *         },
                     *         {
                     *           "type": "level_near",
                     *           "book": "open_interest",
                     *           "symbol": "SPX",
                     *           "on": false,
                     *           "levels": [
                     *             "flip",
                     *             "call_wall",
                     *             "put_wall"
                     *           ],
                     *           "threshold_points": 5
                     *         }
                     *       ],
                     *       "lines": [
                     *         {
                     *           "id": "l_7Qd2mX0aZ9Ke",
                     *           "kind": "level",
                     *           "level": "put_wall",
                     *           "book": "measured",
                     *           "offset": 10,
                     *           "mode": "repeat",
                     *           "direction": "below",
                     *           "note": "near my short put",
                     *           "armed": false,
                     *           "fired_at": "2026-11-25T10:37:03-05:00"
                     *         }
                     *       ],
                     *       "rules": [
                     *         {
                     *           "id": "r_5Xk9bT3nW1Lp",
                     *           "name": "big verticals",
                     *           "on": true,
                     *           "kinds": [
                     *             "vertical"
                     *           ],
                     *           "min_premium": 2.5,
                     *           "wall": "any",
                     *           "wall_within": 15
                     *         }
                     *       ],
                     *       "webhook": null,
                     *       "max": {
                     *         "lines": 50,
                     *         "rules": 20
                     *       },
                     *       "catalogue": {
                     *         "types": [
                     *           {
                     *             "type": "flip_cross",
                     *             "rule": "the index is beyond the flip, on its other side, by `margin_points` or more for `confirm` minutes",
                     *             "on_in": [
                     *               "measured"
                     *             ],
                     *             "parameters": [
                     *               {
                     *                 "name": "confirm",
                     *                 "meaning": "how many minutes in a row it must hold",
                     *                 "takes": "whole",
                     *                 "unit": "min",
                     *                 "required": false,
                     *                 "default": 2,
                     *                 "min": 1,
                     *                 "max": 15
                     *               },
                     *               {
                     *                 "name": "margin_points",
                     *                 "meaning": "how far beyond the flip; `auto` is an eighth of the width of its interval, 1 to 5 points; 5 without one",
                     *                 "takes": "number",
                     *                 "unit": "pt",
                     *                 "required": false,
                     *                 "default": "auto",
                     *                 "min": 0,
                     *                 "max": 50,
                     *                 "values": [
                     *                   "auto"
                     *                 ]
                     *               },
                     *               {
                     *                 "name": "certain",
                     *                 "meaning": "only when the index is beyond the whole interval; in the book `measured` alone",
                     *                 "takes": "yes_no",
                     *                 "unit": null,
                     *                 "required": false,
                     *                 "default": false
                     *               }
                     *             ]
                     *           },
                     *           {
                     *             "type": "wall_break",
                     *             "rule": "the index is `margin_points` or more above the call wall, or below the put wall, for `confirm` minutes in which the wall stays where it is",
                     *             "on_in": [
                     *               "measured"
                     *             ],
                     *             "parameters": [
                     *               {
                     *                 "name": "walls",
                     *                 "meaning": "which walls",
                     *                 "takes": "choices",
                     *                 "unit": null,
                     *                 "required": false,
                     *                 "default": [
                     *                   "call_wall",
                     *                   "put_wall"
                     *                 ],
                     *                 "values": [
                     *                   "call_wall",
                     *                   "put_wall"
                     *                 ]
                     *               },
                     *               {
                     *                 "name": "confirm",
                     *                 "meaning": "how many minutes in a row it must hold",
                     *                 "takes": "whole",
                     *                 "unit": "min",
                     *                 "required": false,
                     *                 "default": 2,
                     *                 "min": 1,
                     *                 "max": 15
                     *               },
                     *               {
                     *                 "name": "margin_points",
                     *                 "meaning": "how far beyond the wall",
                     *                 "takes": "number",
                     *                 "unit": "pt",
                     *                 "required": false,
                     *                 "default": 1,
                     *                 "min": 0,
                     *                 "max": 20
                     *               }
                     *             ]
                     *           },
                     *           {
                     *             "type": "regime_change",
                     *             "rule": "the dealers' net gamma has the other sign for `confirm` minutes, and is at least 5 % of the day's largest so far",
                     *             "on_in": [
                     *               "measured"
                     *             ],
                     *             "parameters": [
                     *               {
                     *                 "name": "confirm",
                     *                 "meaning": "how many minutes in a row it must hold",
                     *                 "takes": "whole",
                     *                 "unit": "min",
                     *                 "required": false,
                     *                 "default": 2,
                     *                 "min": 1,
                     *                 "max": 15
                     *               }
                     *             ]
                     *           },
                     *           {
                     *             "type": "wall_move",
                     *             "rule": "a wall stands `min_points` or more from where it was last told, at the same strike for `confirm` minutes",
                     *             "on_in": [],
                     *             "parameters": [
                     *               {
                     *                 "name": "walls",
                     *                 "meaning": "which walls",
                     *                 "takes": "choices",
                     *                 "unit": null,
                     *                 "required": false,
                     *                 "default": [
                     *                   "call_wall",
                     *                   "put_wall"
                     *                 ],
                     *                 "values": [
                     *                   "call_wall",
                     *                   "put_wall"
                     *                 ]
                     *               },
                     *               {
                     *                 "name": "confirm",
                     *                 "meaning": "how many minutes in a row it must hold",
                     *                 "takes": "whole",
                     *                 "unit": "min",
                     *                 "required": false,
                     *                 "default": 5,
                     *                 "min": 1,
                     *                 "max": 15
                     *               },
                     *               {
                     *                 "name": "min_points",
                     *                 "meaning": "the smallest move that counts",
                     *                 "takes": "number",
                     *                 "unit": "pt",
                     *                 "required": false,
                     *                 "default": 5,
                     *                 "min": 5,
                     *                 "max": 100
                     *               }
                     *             ]
                     *           },
                     *           {
                     *             "type": "flip_move",
                     *             "rule": "the flip is `threshold_points` or more from where it was last told, for `confirm` minutes",
                     *             "on_in": [],
                     *             "parameters": [
                     *               {
                     *                 "name": "threshold_points",
                     *                 "meaning": "the smallest move that counts",
                     *                 "takes": "number",
                     *                 "unit": "pt",
                     *                 "required": false,
                     *                 "default": 10,
                     *                 "min": 1,
                     *                 "max": 200
                     *               },
                     *               {
                     *                 "name": "confirm",
                     *                 "meaning": "how many minutes in a row it must hold",
                     *                 "takes": "whole",
                     *                 "unit": "min",
                     *                 "required": false,
                     *                 "default": 3,
                     *                 "min": 1,
                     *                 "max": 15
                     *               }
                     *             ]
                     *           },
                     *           {
                     *             "type": "level_near",
                     *             "rule": "the index comes within `threshold_points` of a level; told again once it was twice as far away",
                     *             "on_in": [],
                     *             "parameters": [
                     *               {
                     *                 "name": "levels",
                     *                 "meaning": "which levels",
                     *                 "takes": "choices",
                     *                 "unit": null,
                     *                 "required": false,
                     *                 "default": [
                     *                   "flip",
                     *                   "call_wall",
                     *                   "put_wall"
                     *                 ],
                     *                 "values": [
                     *                   "flip",
                     *                   "call_wall",
                     *                   "put_wall"
                     *                 ]
                     *               },
                     *               {
                     *                 "name": "threshold_points",
                     *                 "meaning": "how near",
                     *                 "takes": "number",
                     *                 "unit": "pt",
                     *                 "required": false,
                     *                 "default": 5,
                     *                 "min": 1,
                     *                 "max": 50
                     *               }
                     *             ]
                     *           }
                     *         ],
                     *         "entry": [
                     *           {
                     *             "name": "type",
                     *             "meaning": "which event",
                     *             "takes": "choice",
                     *             "unit": null,
                     *             "required": true,
                     *             "default": null,
                     *             "values": [
                     *               "flip_cross",
                     *               "wall_break",
                     *               "regime_change",
                     *               "wall_move",
                     *               "flip_move",
                     *               "level_near"
                     *             ]
                     *           },
                     *           {
                     *             "name": "book",
                     *             "meaning": "whose levels: the measured book, or one made of volume or of open interest",
                     *             "takes": "choice",
                     *             "unit": null,
                     *             "required": false,
                     *             "default": "measured",
                     *             "values": [
                     *               "measured",
                     *               "volume",
                     *               "open_interest"
                     *             ]
                     *           },
                     *           {
                     *             "name": "symbol",
                     *             "meaning": "the index",
                     *             "takes": "choice",
                     *             "unit": null,
                     *             "required": false,
                     *             "default": "SPX",
                     *             "values": [
                     *               "SPX"
                     *             ]
                     *           },
                     *           {
                     *             "name": "on",
                     *             "meaning": "whether it is sent; where an account says nothing, as `on_in` of the type says",
                     *             "takes": "yes_no",
                     *             "unit": null,
                     *             "required": false,
                     *             "default": null
                     *           }
                     *         ],
                     *         "line": [
                     *           {
                     *             "name": "kind",
                     *             "meaning": "at a price, or at a level wherever that goes",
                     *             "takes": "choice",
                     *             "unit": null,
                     *             "required": true,
                     *             "default": null,
                     *             "values": [
                     *               "price",
                     *               "level"
                     *             ]
                     *           },
                     *           {
                     *             "name": "price",
                     *             "meaning": "of kind `price`: where the line is",
                     *             "takes": "number",
                     *             "unit": "pt",
                     *             "required": false,
                     *             "default": null,
                     *             "min": 1,
                     *             "max": 100000
                     *           },
                     *           {
                     *             "name": "level",
                     *             "meaning": "of kind `level`: which level it follows",
                     *             "takes": "choice",
                     *             "unit": null,
                     *             "required": false,
                     *             "default": null,
                     *             "values": [
                     *               "flip",
                     *               "call_wall",
                     *               "put_wall"
                     *             ]
                     *           },
                     *           {
                     *             "name": "book",
                     *             "meaning": "of kind `level`: whose level",
                     *             "takes": "choice",
                     *             "unit": null,
                     *             "required": false,
                     *             "default": "measured",
                     *             "values": [
                     *               "measured",
                     *               "volume",
                     *               "open_interest"
                     *             ]
                     *           },
                     *           {
                     *             "name": "offset",
                     *             "meaning": "of kind `level`: how far above the level, below zero under it",
                     *             "takes": "number",
                     *             "unit": "pt",
                     *             "required": false,
                     *             "default": 0,
                     *             "min": -100,
                     *             "max": 100
                     *           },
                     *           {
                     *             "name": "mode",
                     *             "meaning": "`once`: it fires and is then off; `repeat`: again once the index was 2 points away",
                     *             "takes": "choice",
                     *             "unit": null,
                     *             "required": false,
                     *             "default": "once",
                     *             "values": [
                     *               "once",
                     *               "repeat"
                     *             ]
                     *           },
                     *           {
                     *             "name": "direction",
                     *             "meaning": "to which side of the line the index has to come",
                     *             "takes": "choice",
                     *             "unit": null,
                     *             "required": false,
                     *             "default": "any",
                     *             "values": [
                     *               "any",
                     *               "above",
                     *               "below"
                     *             ]
                     *           },
                     *           {
                     *             "name": "note",
                     *             "meaning": "a word of yours",
                     *             "takes": "text",
                     *             "unit": null,
                     *             "required": false,
                     *             "default": null,
                     *             "min": 1,
                     *             "max": 120
                     *           }
                     *         ],
                     *         "rule": [
                     *           {
                     *             "name": "name",
                     *             "meaning": "how it is called in events",
                     *             "takes": "text",
                     *             "unit": null,
                     *             "required": true,
                     *             "default": null,
                     *             "min": 1,
                     *             "max": 60
                     *           },
                     *           {
                     *             "name": "on",
                     *             "meaning": "whether it is sent",
                     *             "takes": "yes_no",
                     *             "unit": null,
                     *             "required": false,
                     *             "default": true
                     *           },
                     *           {
                     *             "name": "kinds",
                     *             "meaning": "the structure is one of these",
                     *             "takes": "choices",
                     *             "unit": null,
                     *             "required": false,
                     *             "default": null,
                     *             "values": [
                     *               "single",
                     *               "vertical",
                     *               "ratio_spread",
                     *               "calendar",
                     *               "ratio_calendar",
                     *               "diagonal",
                     *               "ratio_diagonal",
                     *               "straddle",
                     *               "ratio_straddle",
                     *               "strangle",
                     *               "ratio_strangle",
                     *               "guts",
                     *               "synthetic",
                     *               "risk_reversal",
                     *               "ratio_risk_reversal",
                     *               "butterfly",
                     *               "broken_wing_butterfly",
                     *               "christmas_tree",
                     *               "ladder",
                     *               "three_way",
                     *               "condor",
                     *               "broken_wing_condor",
                     *               "iron_condor",
                     *               "iron_butterfly",
                     *               "double_vertical",
                     *               "box",
                     *               "jelly_roll",
                     *               "vertical_roll",
                     *               "double_calendar",
                     *               "double_diagonal",
                     *               "custom"
                     *             ]
                     *           },
                     *           {
                     *             "name": "min_premium",
                     *             "meaning": "the gross premium is at least this",
                     *             "takes": "number",
                     *             "unit": "musd",
                     *             "required": false,
                     *             "default": null,
                     *             "min": 0,
                     *             "max": 10000
                     *           },
                     *           {
                     *             "name": "min_net",
                     *             "meaning": "the net premium is at least this, paid or received",
                     *             "takes": "number",
                     *             "unit": "musd",
                     *             "required": false,
                     *             "default": null,
                     *             "min": 0,
                     *             "max": 10000
                     *           },
                     *           {
                     *             "name": "min_size",
                     *             "meaning": "the structure traded at least so many times",
                     *             "takes": "whole",
                     *             "unit": "count",
                     *             "required": false,
                     *             "default": null,
                     *             "min": 1,
                     *             "max": 10000000
                     *           },
                     *           {
                     *             "name": "gamma",
                     *             "meaning": "it adds dealer gamma, or removes it",
                     *             "takes": "choice",
                     *             "unit": null,
                     *             "required": false,
                     *             "default": null,
                     *             "values": [
                     *               "adds",
                     *               "removes"
                     *             ]
                     *           },
                     *           {
                     *             "name": "min_gamma",
                     *             "meaning": "its dealer gamma is at least this, either way",
                     *             "takes": "number",
                     *             "unit": "musd_pt",
                     *             "required": false,
                     *             "default": null,
                     *             "min": 0,
                     *             "max": 100000
                     *           },
                     *           {
                     *             "name": "dte_min",
                     *             "meaning": "its expiry is at least so many days away; 0 is today",
                     *             "takes": "whole",
                     *             "unit": "days",
                     *             "required": false,
                     *             "default": null,
                     *             "min": 0,
                     *             "max": 5000
                     *           },
                     *           {
                     *             "name": "dte_max",
                     *             "meaning": "its expiry is at most so many days away",
                     *             "takes": "whole",
                     *             "unit": "days",
                     *             "required": false,
                     *             "default": null,
                     *             "min": 0,
                     *             "max": 5000
                     *           },
                     *           {
                     *             "name": "flip_within",
                     *             "meaning": "the index is at most so far from the flip at its minute",
                     *             "takes": "number",
                     *             "unit": "pt",
                     *             "required": false,
                     *             "default": null,
                     *             "min": 0,
                     *             "max": 1000
                     *           },
                     *           {
                     *             "name": "flip_is",
                     *             "meaning": "the index is over or under the flip at its minute",
                     *             "takes": "choice",
                     *             "unit": null,
                     *             "required": false,
                     *             "default": null,
                     *             "values": [
                     *               "over",
                     *               "under"
                     *             ]
                     *           },
                     *           {
                     *             "name": "wall",
                     *             "meaning": "which wall `wall_within` is of; `any` where it is left out",
                     *             "takes": "choice",
                     *             "unit": null,
                     *             "required": false,
                     *             "default": null,
                     *             "values": [
                     *               "call_wall",
                     *               "put_wall",
                     *               "any"
                     *             ]
                     *           },
                     *           {
                     *             "name": "wall_within",
                     *             "meaning": "the index is at most so far from the wall at its minute",
                     *             "takes": "number",
                     *             "unit": "pt",
                     *             "required": false,
                     *             "default": null,
                     *             "min": 0,
                     *             "max": 1000
                     *           },
                     *           {
                     *             "name": "from_t",
                     *             "meaning": "its minute is this one or later",
                     *             "takes": "minute",
                     *             "unit": "ET",
                     *             "required": false,
                     *             "default": null,
                     *             "min": "09:30",
                     *             "max": "16:15"
                     *           },
                     *           {
                     *             "name": "to_t",
                     *             "meaning": "its minute is this one or earlier",
                     *             "takes": "minute",
                     *             "unit": "ET",
                     *             "required": false,
                     *             "default": null,
                     *             "min": "09:30",
                     *             "max": "16:15"
                     *           },
                     *           {
                     *             "name": "min_confidence",
                     *             "meaning": "the fold is at least so sure that it is one order",
                     *             "takes": "number",
                     *             "unit": null,
                     *             "required": false,
                     *             "default": null,
                     *             "min": 0,
                     *             "max": 1
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Alerts"];
                };
            };
            /** @description What the client has, by its If-None-Match, is the newest there is. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a day of the account (draft-ietf-httpapi-ratelimit-headers).
                     * @example "day";q=20000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description Calls left today, and seconds until midnight ET.
                     * @example "day";r=19999;t=52200
                     */
                    RateLimit: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeAlerts: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Printable ASCII, new for each change, such as a UUID.
                 * @example 0f8fad5b-d9cb-469f-a165-70867728950e
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlertsChange"];
            };
        };
        responses: {
            /** @description Change the list, a line or a rule, or have an event sent */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a day of the account (draft-ietf-httpapi-ratelimit-headers).
                     * @example "day";q=20000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description Calls left today, and seconds until midnight ET.
                     * @example "day";r=19999;t=52200
                     */
                    RateLimit: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description Present when the change was made before, and its answer is given again.
                     * @example true
                     */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true,
                     *       "id": "r_5Xk9bT3nW1Lp",
                     *       "rule": {
                     *         "id": "r_5Xk9bT3nW1Lp",
                     *         "name": "big verticals",
                     *         "on": true,
                     *         "kinds": [
                     *           "vertical"
                     *         ],
                     *         "min_premium": 2.5,
                     *         "wall": "any",
                     *         "wall_within": 15
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AlertsChanged"];
                };
            };
        };
    };
    readAlertEvents: {
        parameters: {
            query?: {
                /**
                 * @description `last` of the answer before; 0 when left out.
                 * @example 4711
                 */
                after?: number;
                /**
                 * @description How many at most; 100 when left out.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description Those of one day.
                 * @example 2026-11-25
                 */
                day?: components["schemas"]["Day"];
                /**
                 * @description Those of one type.
                 * @example flip_cross
                 */
                type?: "flip_cross" | "wall_break" | "regime_change" | "wall_move" | "flip_move" | "level_near" | "price_alert" | "level_line" | "order" | "idea_triggered" | "idea_closed" | "test" | "opening_read" | "label_changed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the account was told, oldest first */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a day of the account (draft-ietf-httpapi-ratelimit-headers).
                     * @example "day";q=20000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description Calls left today, and seconds until midnight ET.
                     * @example "day";r=19999;t=52200
                     */
                    RateLimit: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "events": [
                     *         {
                     *           "seq": 4711,
                     *           "queued_at": "2026-11-25T10:37:03-05:00",
                     *           "body": {
                     *             "version": 1,
                     *             "id": "evt_9f2c4e7a1b3d5f60718293a4b5c6d7e8",
                     *             "type": "flip_cross",
                     *             "symbol": "SPX",
                     *             "level": {
                     *               "kind": "flip",
                     *               "value": 5998.76
                     *             },
                     *             "price": 5994.1,
                     *             "book": "measured",
                     *             "ts": "2026-11-25T10:37:03-05:00",
                     *             "day": "2026-11-25",
                     *             "minute": "10:37",
                     *             "levels": {
                     *               "flip": 5998.76,
                     *               "call_wall": 6050,
                     *               "put_wall": 5950,
                     *               "put_support": 5950
                     *             },
                     *             "text": "SPX 5,994.10 is below the measured flip 5,998.76 at 10:37 ET.",
                     *             "direction": "below",
                     *             "flip_lo": 5991.2,
                     *             "flip_hi": 6006.4,
                     *             "within_bar": true
                     *           }
                     *         }
                     *       ],
                     *       "last": 4711,
                     *       "more": false
                     *     }
                     */
                    "application/json": components["schemas"]["AlertEvents"];
                };
            };
            /** @description What the client has, by its If-None-Match, is the newest there is. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a day of the account (draft-ietf-httpapi-ratelimit-headers).
                     * @example "day";q=20000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description Calls left today, and seconds until midnight ET.
                     * @example "day";r=19999;t=52200
                     */
                    RateLimit: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readAlertDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description Id of an event.
                 * @example evt_9f2c4e7a1b3d5f60718293a4b5c6d7e8
                 */
                event?: string;
                /**
                 * @description Those before the delivery of this number.
                 * @example 902
                 */
                before?: number;
                /**
                 * @description How many at most; 50 when left out.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How events got to their places, newest first */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a day of the account (draft-ietf-httpapi-ratelimit-headers).
                     * @example "day";q=20000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description Calls left today, and seconds until midnight ET.
                     * @example "day";r=19999;t=52200
                     */
                    RateLimit: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deliveries": [
                     *         {
                     *           "delivery": 902,
                     *           "event": "evt_9f2c4e7a1b3d5f60718293a4b5c6d7e8",
                     *           "type": "flip_cross",
                     *           "position": null,
                     *           "channel": "webhook",
                     *           "state": "sent",
                     *           "reason": null,
                     *           "queued_at": "2026-11-25T10:37:03-05:00",
                     *           "next_try_at": null,
                     *           "ended_at": "2026-11-25T10:37:05-05:00",
                     *           "attempts": [
                     *             {
                     *               "number": 1,
                     *               "started": "2026-11-25T10:37:03-05:00",
                     *               "result": "retry",
                     *               "ms": 41,
                     *               "status": 503,
                     *               "error": null,
                     *               "address": "203.0.113.7"
                     *             },
                     *             {
                     *               "number": 2,
                     *               "started": "2026-11-25T10:37:04-05:00",
                     *               "result": "sent",
                     *               "ms": 38,
                     *               "status": 204,
                     *               "error": null,
                     *               "address": "203.0.113.7"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AlertDeliveries"];
                };
            };
            /** @description What the client has, by its If-None-Match, is the newest there is. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a day of the account (draft-ietf-httpapi-ratelimit-headers).
                     * @example "day";q=20000;w=86400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description Calls left today, and seconds until midnight ET.
                     * @example "day";r=19999;t=52200
                     */
                    RateLimit: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readLevels: {
        parameters: {
            query: {
                /**
                 * @description 1 to 20 symbols, with commas between them.
                 * @example SPX,XSP
                 */
                sym: string;
                /**
                 * @description The book; left out, the measured one.
                 * @example vol
                 */
                book?: "vol" | "oi";
                /**
                 * @description Errors are answered as 200, the real status in X-Service-Status.
                 * @example 200
                 */
                errors?: "200";
                /**
                 * @description A session before today (ET); left out, the newest one.
                 * @example 2026-10-14
                 */
                day?: components["schemas"]["Day"];
                /**
                 * @description State minute, 09:31 to 15:59 ET (12:59 on half days); left out, the newest.
                 * @example 11:14
                 */
                time?: string;
                /**
                 * @description How many of the strikes with most net gamma are added.
                 * @example 5
                 */
                g?: number;
                /**
                 * @description The expiries whose levels are wanted; left out, all.
                 * @example 0dte
                 */
                expiry?: "0dte" | "next" | "all";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Flip, walls and net gamma of symbols */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a UTC minute of the key (draft-ietf-httpapi-ratelimit-headers).
                     * @example "minute";q=120;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Calls left in the minute, and seconds until the next one.
                     * @example "minute";r=119;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag?: string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary?: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones; no-store for errors and keys.
                     * @example private, no-cache
                     */
                    "Cache-Control"?: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description With `errors=200`: the real status.
                     * @example 200
                     */
                    "X-Service-Status"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "day": "2026-10-15",
                     *       "time": "11:14",
                     *       "live": true,
                     *       "book": "measured",
                     *       "simulated": true,
                     *       "next_update_at": "2026-10-15T15:15:03Z",
                     *       "symbols": [
                     *         {
                     *           "sym": "SPX",
                     *           "source": "measured",
                     *           "spot": 5902.19,
                     *           "spot_source": "index",
                     *           "spot_error": null,
                     *           "flip": 5995.93,
                     *           "flip_lo": 5985.32,
                     *           "flip_hi": 6007.1,
                     *           "flip_roots": [
                     *             5995.93
                     *           ],
                     *           "call_wall": 6000,
                     *           "put_wall": 6000,
                     *           "net_gamma": -857.4131,
                     *           "regime": "negative",
                     *           "p_positive": 0.014,
                     *           "net_gamma_deviation": 389.2201,
                     *           "expected_move": 45.74,
                     *           "session_move": 53.83,
                     *           "expected_move_reason": null,
                     *           "measured_share": 0.949,
                     *           "sessions_carried": 41,
                     *           "reason": null,
                     *           "gamma_reason": null,
                     *           "gex": [
                     *             {
                     *               "strike": 6000,
                     *               "call": 401.2,
                     *               "put": -912.7,
                     *               "net": -511.5
                     *             }
                     *           ],
                     *           "gex_reason": null
                     *         },
                     *         {
                     *           "sym": "ES",
                     *           "error": {
                     *             "code": "no_basis",
                     *             "message": "no basis.",
                     *             "next_update_s": 60
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Levels"] | components["schemas"]["ErrorAs200"];
                };
            };
            /** @description What the client has is the newest there is. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a UTC minute of the key (draft-ietf-httpapi-ratelimit-headers).
                     * @example "minute";q=120;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Calls left in the minute, and seconds until the next one.
                     * @example "minute";r=119;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag?: string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary?: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones; no-store for errors and keys.
                     * @example private, no-cache
                     */
                    "Cache-Control"?: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description With `errors=200`: the real status.
                     * @example 200
                     */
                    "X-Service-Status"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readGamma: {
        parameters: {
            query: {
                /**
                 * @description One symbol, in any case.
                 * @example SPX
                 */
                sym: string;
                /**
                 * @description The book; left out, the measured one.
                 * @example vol
                 */
                book?: "vol" | "oi";
                /**
                 * @description Errors are answered as 200, the real status in X-Service-Status.
                 * @example 200
                 */
                errors?: "200";
                /**
                 * @description A session before today (ET); left out, the newest one.
                 * @example 2026-10-14
                 */
                day?: components["schemas"]["Day"];
                /**
                 * @description State minute, 09:31 to 15:59 ET (12:59 on half days); left out, the newest.
                 * @example 11:14
                 */
                time?: string;
                /**
                 * @description How many strikes, ranked; 0 is the whole ladder.
                 * @example 5
                 */
                g?: number;
                /**
                 * @description The exposure wanted by strike and expiry; left out, none.
                 * @example vanna
                 */
                exposure?: "delta" | "gamma" | "vanna" | "charm";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Gamma by strike and over the index */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a UTC minute of the key (draft-ietf-httpapi-ratelimit-headers).
                     * @example "minute";q=120;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Calls left in the minute, and seconds until the next one.
                     * @example "minute";r=119;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag?: string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary?: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones; no-store for errors and keys.
                     * @example private, no-cache
                     */
                    "Cache-Control"?: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description With `errors=200`: the real status.
                     * @example 200
                     */
                    "X-Service-Status"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "day": "2026-10-15",
                     *       "time": "11:14",
                     *       "live": true,
                     *       "book": "measured",
                     *       "simulated": true,
                     *       "next_update_at": "2026-10-15T15:15:03Z",
                     *       "sym": "SPX",
                     *       "spot": 5902.19,
                     *       "spot_source": "index",
                     *       "spot_error": null,
                     *       "flip": 5995.93,
                     *       "flip_lo": 5985.32,
                     *       "flip_hi": 6007.1,
                     *       "reason": null,
                     *       "strikes": [
                     *         [
                     *           6000,
                     *           401.2,
                     *           -912.7
                     *         ]
                     *       ],
                     *       "strikes_reason": null,
                     *       "curve": {
                     *         "from": 5610,
                     *         "step": 10,
                     *         "net": [
                     *           -120.5,
                     *           -131.2
                     *         ]
                     *       },
                     *       "curve_reason": null
                     *     }
                     */
                    "application/json": components["schemas"]["Gamma"] | components["schemas"]["ErrorAs200"];
                };
            };
            /** @description What the client has is the newest there is. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a UTC minute of the key (draft-ietf-httpapi-ratelimit-headers).
                     * @example "minute";q=120;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Calls left in the minute, and seconds until the next one.
                     * @example "minute";r=119;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag?: string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary?: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones; no-store for errors and keys.
                     * @example private, no-cache
                     */
                    "Cache-Control"?: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description With `errors=200`: the real status.
                     * @example 200
                     */
                    "X-Service-Status"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readHistory: {
        parameters: {
            query: {
                /**
                 * @description One symbol, in any case.
                 * @example SPX
                 */
                sym: string;
                /**
                 * @description The book; left out, the measured one.
                 * @example vol
                 */
                book?: "vol" | "oi";
                /**
                 * @description Errors are answered as 200, the real status in X-Service-Status.
                 * @example 200
                 */
                errors?: "200";
                /**
                 * @description A past session.
                 * @example 2026-10-14
                 */
                day: components["schemas"]["Day"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every minute of a past session */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a UTC minute of the key (draft-ietf-httpapi-ratelimit-headers).
                     * @example "minute";q=120;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Calls left in the minute, and seconds until the next one.
                     * @example "minute";r=119;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag?: string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary?: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones; no-store for errors and keys.
                     * @example private, no-cache
                     */
                    "Cache-Control"?: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description With `errors=200`: the real status.
                     * @example 200
                     */
                    "X-Service-Status"?: string;
                    /**
                     * @description Beside tables of a future: the contract it stands for.
                     * @example ESZ6
                     */
                    "X-Contract"?: string;
                    /**
                     * @description Beside text: the symbols that failed, each with its code.
                     * @example QQQ=unknown_symbol
                     */
                    "X-Symbol-Errors"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "day": "2026-10-14",
                     *       "book": "measured",
                     *       "sym": "SPX",
                     *       "simulated": true,
                     *       "minutes": [
                     *         "09:31"
                     *       ],
                     *       "spot": [
                     *         5902.19
                     *       ],
                     *       "flip": [
                     *         5995.93
                     *       ],
                     *       "flip_lo": [
                     *         5985.32
                     *       ],
                     *       "flip_hi": [
                     *         6007.1
                     *       ],
                     *       "call_wall": [
                     *         6000
                     *       ],
                     *       "put_wall": [
                     *         6000
                     *       ],
                     *       "net_gamma": [
                     *         -857.4131
                     *       ],
                     *       "regime": [
                     *         "negative"
                     *       ],
                     *       "p_positive": [
                     *         0.014
                     *       ],
                     *       "spot_source": [
                     *         "index"
                     *       ],
                     *       "spot_error": [
                     *         null
                     *       ],
                     *       "reason": [
                     *         null
                     *       ],
                     *       "gamma_reason": null
                     *     }
                     */
                    "application/json": components["schemas"]["History"] | components["schemas"]["ErrorAs200"];
                    "text/csv": unknown;
                    "application/vnd.apache.arrow.stream": unknown;
                };
            };
            /** @description What the client has is the newest there is. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a UTC minute of the key (draft-ietf-httpapi-ratelimit-headers).
                     * @example "minute";q=120;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Calls left in the minute, and seconds until the next one.
                     * @example "minute";r=119;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag?: string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary?: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones; no-store for errors and keys.
                     * @example private, no-cache
                     */
                    "Cache-Control"?: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description With `errors=200`: the real status.
                     * @example 200
                     */
                    "X-Service-Status"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readFlow: {
        parameters: {
            query: {
                /**
                 * @description One symbol, in any case.
                 * @example SPX
                 */
                sym: string;
                /**
                 * @description The book; left out, the measured one.
                 * @example vol
                 */
                book?: "vol" | "oi";
                /**
                 * @description Errors are answered as 200, the real status in X-Service-Status.
                 * @example 200
                 */
                errors?: "200";
                /**
                 * @description A session before today (ET); left out, the newest one.
                 * @example 2026-10-14
                 */
                day?: components["schemas"]["Day"];
                /**
                 * @description State minute, 09:31 to 15:59 ET (12:59 on half days); left out, the newest.
                 * @example 11:14
                 */
                time?: string;
                /**
                 * @description The legs that count; left out, all.
                 * @example 0dte
                 */
                part?: "all" | "0dte" | "calls" | "puts";
                /**
                 * @description The day so far, or the last five minutes; left out, the day.
                 * @example 5m
                 */
                span?: "day" | "5m";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delta and gamma that customers bought, minute by minute */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a UTC minute of the key (draft-ietf-httpapi-ratelimit-headers).
                     * @example "minute";q=120;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Calls left in the minute, and seconds until the next one.
                     * @example "minute";r=119;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag?: string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary?: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones; no-store for errors and keys.
                     * @example private, no-cache
                     */
                    "Cache-Control"?: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description With `errors=200`: the real status.
                     * @example 200
                     */
                    "X-Service-Status"?: string;
                    /**
                     * @description Beside tables of a future: the contract it stands for.
                     * @example ESZ6
                     */
                    "X-Contract"?: string;
                    /**
                     * @description Beside text: the symbols that failed, each with its code.
                     * @example QQQ=unknown_symbol
                     */
                    "X-Symbol-Errors"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "day": "2026-10-15",
                     *       "time": "11:14",
                     *       "live": true,
                     *       "simulated": true,
                     *       "next_update_at": "2026-10-15T15:15:03Z",
                     *       "sym": "SPX",
                     *       "part": "all",
                     *       "span": "day",
                     *       "minutes": [
                     *         "11:14"
                     *       ],
                     *       "spot": [
                     *         5902.19
                     *       ],
                     *       "delta": [
                     *         -812.4
                     *       ],
                     *       "delta_lo": [
                     *         -1630.2
                     *       ],
                     *       "delta_hi": [
                     *         5.4
                     *       ],
                     *       "delta_reason": [
                     *         null
                     *       ],
                     *       "gamma": [
                     *         3.2145
                     *       ],
                     *       "gamma_lo": [
                     *         -8.0012
                     *       ],
                     *       "gamma_hi": [
                     *         14.4302
                     *       ],
                     *       "gamma_reason": [
                     *         null
                     *       ],
                     *       "orders": [
                     *         18211
                     *       ],
                     *       "contracts": [
                     *         1203344
                     *       ],
                     *       "reason": null
                     *     }
                     */
                    "application/json": components["schemas"]["Flow"] | components["schemas"]["ErrorAs200"];
                    "text/csv": unknown;
                    "application/vnd.apache.arrow.stream": unknown;
                };
            };
            /** @description What the client has is the newest there is. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a UTC minute of the key (draft-ietf-httpapi-ratelimit-headers).
                     * @example "minute";q=120;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Calls left in the minute, and seconds until the next one.
                     * @example "minute";r=119;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag?: string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary?: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones; no-store for errors and keys.
                     * @example private, no-cache
                     */
                    "Cache-Control"?: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description With `errors=200`: the real status.
                     * @example 200
                     */
                    "X-Service-Status"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readLevelsStream: {
        parameters: {
            query: {
                /**
                 * @description 1 to 20 symbols, with commas between them.
                 * @example SPX,XSP
                 */
                sym: string;
                /**
                 * @description The book; left out, the measured one.
                 * @example vol
                 */
                book?: "vol" | "oi";
                /**
                 * @description Errors are answered as 200, the real status in X-Service-Status.
                 * @example 200
                 */
                errors?: "200";
                /**
                 * @description How many of the strikes with most net gamma are added.
                 * @example 5
                 */
                g?: number;
                /**
                 * @description The expiries whose levels are wanted; left out, all.
                 * @example 0dte
                 */
                expiry?: "0dte" | "next" | "all";
            };
            header?: {
                /**
                 * @description Id of the last event the client has.
                 * @example 2026-10-15T11:14
                 */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The levels of each new state as it is published */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a UTC minute of the key (draft-ietf-httpapi-ratelimit-headers).
                     * @example "minute";q=120;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Calls left in the minute, and seconds until the next one.
                     * @example "minute";r=119;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag?: string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary?: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones; no-store for errors and keys.
                     * @example private, no-cache
                     */
                    "Cache-Control"?: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description With `errors=200`: the real status.
                     * @example 200
                     */
                    "X-Service-Status"?: string;
                    /**
                     * @description Beside tables of a future: the contract it stands for.
                     * @example ESZ6
                     */
                    "X-Contract"?: string;
                    /**
                     * @description Beside text: the symbols that failed, each with its code.
                     * @example QQQ=unknown_symbol
                     */
                    "X-Symbol-Errors"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAs200"];
                    /**
                     * @example id: 2026-10-15T11:14
                     *     event: levels
                     *     data: {"day":"2026-10-15","time":"11:14","symbols":[]}
                     */
                    "text/event-stream": string;
                };
            };
            /** @description What the client has is the newest there is. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a UTC minute of the key (draft-ietf-httpapi-ratelimit-headers).
                     * @example "minute";q=120;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Calls left in the minute, and seconds until the next one.
                     * @example "minute";r=119;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag?: string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary?: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones; no-store for errors and keys.
                     * @example private, no-cache
                     */
                    "Cache-Control"?: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description With `errors=200`: the real status.
                     * @example 200
                     */
                    "X-Service-Status"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readSymbols: {
        parameters: {
            query?: {
                /**
                 * @description Errors are answered as 200, the real status in X-Service-Status.
                 * @example 200
                 */
                errors?: "200";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The symbols that have levels */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a UTC minute of the key (draft-ietf-httpapi-ratelimit-headers).
                     * @example "minute";q=120;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Calls left in the minute, and seconds until the next one.
                     * @example "minute";r=119;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag?: string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary?: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones; no-store for errors and keys.
                     * @example private, no-cache
                     */
                    "Cache-Control"?: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description With `errors=200`: the real status.
                     * @example 200
                     */
                    "X-Service-Status"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "symbols": [
                     *         {
                     *           "sym": "SPX",
                     *           "kind": "index",
                     *           "source": "book",
                     *           "books": [
                     *             "measured",
                     *             "vol",
                     *             "oi"
                     *           ],
                     *           "available": true,
                     *           "reason": null,
                     *           "first_day": "2026-10-14",
                     *           "tick": 0.01
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["LevelSymbols"] | components["schemas"]["ErrorAs200"];
                };
            };
            /** @description What the client has is the newest there is. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a UTC minute of the key (draft-ietf-httpapi-ratelimit-headers).
                     * @example "minute";q=120;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Calls left in the minute, and seconds until the next one.
                     * @example "minute";r=119;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag?: string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary?: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones; no-store for errors and keys.
                     * @example private, no-cache
                     */
                    "Cache-Control"?: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description With `errors=200`: the real status.
                     * @example 200
                     */
                    "X-Service-Status"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readExpectedMove: {
        parameters: {
            query: {
                /**
                 * @description One symbol, in any case.
                 * @example SPX
                 */
                sym: string;
                /**
                 * @description The book; left out, the measured one.
                 * @example vol
                 */
                book?: "vol" | "oi";
                /**
                 * @description Errors are answered as 200, the real status in X-Service-Status.
                 * @example 200
                 */
                errors?: "200";
                /**
                 * @description A session before today (ET); left out, the newest one.
                 * @example 2026-10-14
                 */
                day?: components["schemas"]["Day"];
                /**
                 * @description State minute, 09:31 to 15:59 ET (12:59 on half days); left out, the newest.
                 * @example 11:14
                 */
                time?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How far the index was expected to move */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a UTC minute of the key (draft-ietf-httpapi-ratelimit-headers).
                     * @example "minute";q=120;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Calls left in the minute, and seconds until the next one.
                     * @example "minute";r=119;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag?: string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary?: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones; no-store for errors and keys.
                     * @example private, no-cache
                     */
                    "Cache-Control"?: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description With `errors=200`: the real status.
                     * @example 200
                     */
                    "X-Service-Status"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "day": "2026-10-15",
                     *       "time": "11:14",
                     *       "spot": 5902.19,
                     *       "spot_source": "index",
                     *       "spot_error": null,
                     *       "expected_move": 45.74,
                     *       "session_move": 53.83,
                     *       "low": 5937.53,
                     *       "high": 6045.19,
                     *       "reason": null,
                     *       "name": "E|S-F|, forward straddle",
                     *       "simulated": true
                     *     }
                     */
                    "application/json": components["schemas"]["ExpectedMove"] | components["schemas"]["ErrorAs200"];
                };
            };
            /** @description What the client has is the newest there is. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a UTC minute of the key (draft-ietf-httpapi-ratelimit-headers).
                     * @example "minute";q=120;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Calls left in the minute, and seconds until the next one.
                     * @example "minute";r=119;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag?: string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary?: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones; no-store for errors and keys.
                     * @example private, no-cache
                     */
                    "Cache-Control"?: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description With `errors=200`: the real status.
                     * @example 200
                     */
                    "X-Service-Status"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readLevelsText: {
        parameters: {
            query: {
                /**
                 * @description 1 to 8 symbols, with commas between them.
                 * @example SPX,XSP
                 */
                sym: string;
                /**
                 * @description The book; left out, the measured one.
                 * @example vol
                 */
                book?: "vol" | "oi";
                /**
                 * @description Errors are answered as 200, the real status in X-Service-Status.
                 * @example 200
                 */
                errors?: "200";
                /**
                 * @description A session before today (ET); left out, the newest one.
                 * @example 2026-10-14
                 */
                day?: components["schemas"]["Day"];
                /**
                 * @description State minute, 09:31 to 15:59 ET (12:59 on half days); left out, the newest.
                 * @example 11:14
                 */
                time?: string;
                /**
                 * @description How many of the strikes with most net gamma are added.
                 * @example 5
                 */
                g?: number;
                /**
                 * @description pairs; mq, the same with other labels; of one symbol: lines, planned levels of NinjaTrader; sierra, rows for importers of Sierra Chart; thinkscript, a study.
                 * @example pairs
                 */
                style?: "pairs" | "mq" | "lines" | "sierra" | "thinkscript";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Levels as text for charts */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a UTC minute of the key (draft-ietf-httpapi-ratelimit-headers).
                     * @example "minute";q=120;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Calls left in the minute, and seconds until the next one.
                     * @example "minute";r=119;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag?: string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary?: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones; no-store for errors and keys.
                     * @example private, no-cache
                     */
                    "Cache-Control"?: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description With `errors=200`: the real status.
                     * @example 200
                     */
                    "X-Service-Status"?: string;
                    /**
                     * @description Beside tables of a future: the contract it stands for.
                     * @example ESZ6
                     */
                    "X-Contract"?: string;
                    /**
                     * @description Beside text: the symbols that failed, each with its code.
                     * @example QQQ=unknown_symbol
                     */
                    "X-Symbol-Errors"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAs200"];
                    /** @example $SPX: Call Wall, 6000, Put Wall, 5900, Flip, 5995.93 */
                    "text/plain": string;
                };
            };
            /** @description What the client has is the newest there is. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a UTC minute of the key (draft-ietf-httpapi-ratelimit-headers).
                     * @example "minute";q=120;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Calls left in the minute, and seconds until the next one.
                     * @example "minute";r=119;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag?: string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary?: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones; no-store for errors and keys.
                     * @example private, no-cache
                     */
                    "Cache-Control"?: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description With `errors=200`: the real status.
                     * @example 200
                     */
                    "X-Service-Status"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readBookmapNotes: {
        parameters: {
            query: {
                /**
                 * @description 1 to 8 symbols, with commas between them.
                 * @example SPX,XSP
                 */
                sym: string;
                /**
                 * @description The book; left out, the measured one.
                 * @example vol
                 */
                book?: "vol" | "oi";
                /**
                 * @description Errors are answered as 200, the real status in X-Service-Status.
                 * @example 200
                 */
                errors?: "200";
                /**
                 * @description A session before today (ET); left out, the newest one.
                 * @example 2026-10-14
                 */
                day?: components["schemas"]["Day"];
                /**
                 * @description State minute, 09:31 to 15:59 ET (12:59 on half days); left out, the newest.
                 * @example 11:14
                 */
                time?: string;
                /**
                 * @description How many of the strikes with most net gamma are added.
                 * @example 5
                 */
                g?: number;
                /**
                 * @description The data source of `#automap`, the first row.
                 * @example DXFEED
                 */
                map?: string;
                /**
                 * @description What the symbols are called in the notes, in their order.
                 * @example /ESZ6:XCME
                 */
                as?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Levels as notes of Bookmap */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a UTC minute of the key (draft-ietf-httpapi-ratelimit-headers).
                     * @example "minute";q=120;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Calls left in the minute, and seconds until the next one.
                     * @example "minute";r=119;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag?: string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary?: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones; no-store for errors and keys.
                     * @example private, no-cache
                     */
                    "Cache-Control"?: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description With `errors=200`: the real status.
                     * @example 200
                     */
                    "X-Service-Status"?: string;
                    /**
                     * @description Beside tables of a future: the contract it stands for.
                     * @example ESZ6
                     */
                    "X-Contract"?: string;
                    /**
                     * @description Beside text: the symbols that failed, each with its code.
                     * @example QQQ=unknown_symbol
                     */
                    "X-Symbol-Errors"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAs200"];
                    /**
                     * @example Symbol,Price Level,Note,Foreground Color,Background Color,Text Alignment,Diameter,Draw Note Price Horizontal Line
                     *     SPX,6000,Call wall,#FFFFFF,#008000,left,1,TRUE
                     */
                    "text/csv": string;
                };
            };
            /** @description What the client has is the newest there is. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a UTC minute of the key (draft-ietf-httpapi-ratelimit-headers).
                     * @example "minute";q=120;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Calls left in the minute, and seconds until the next one.
                     * @example "minute";r=119;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag?: string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary?: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones; no-store for errors and keys.
                     * @example private, no-cache
                     */
                    "Cache-Control"?: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description With `errors=200`: the real status.
                     * @example 200
                     */
                    "X-Service-Status"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readKey: {
        parameters: {
            query?: {
                /**
                 * @description Errors are answered as 200, the real status in X-Service-Status.
                 * @example 200
                 */
                errors?: "200";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the key opens, and what is left of its limits */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a UTC minute of the key (draft-ietf-httpapi-ratelimit-headers).
                     * @example "minute";q=120;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Calls left in the minute, and seconds until the next one.
                     * @example "minute";r=119;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag?: string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary?: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones; no-store for errors and keys.
                     * @example private, no-cache
                     */
                    "Cache-Control"?: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description With `errors=200`: the real status.
                     * @example 200
                     */
                    "X-Service-Status"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "scope": "live",
                     *       "name": "desk",
                     *       "plans": [
                     *         "live"
                     *       ],
                     *       "oldest": "2026-07-17",
                     *       "minute": {
                     *         "limit": 120,
                     *         "used": 12,
                     *         "reset_s": 41
                     *       },
                     *       "places": {
                     *         "limit": 3,
                     *         "used": 2
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LevelsKey"] | components["schemas"]["ErrorAs200"];
                };
            };
            /** @description What the client has is the newest there is. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Calls a UTC minute of the key (draft-ietf-httpapi-ratelimit-headers).
                     * @example "minute";q=120;w=60
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Calls left in the minute, and seconds until the next one.
                     * @example "minute";r=119;t=41
                     */
                    RateLimit?: string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag?: string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary?: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones; no-store for errors and keys.
                     * @example private, no-cache
                     */
                    "Cache-Control"?: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description With `errors=200`: the real status.
                     * @example 200
                     */
                    "X-Service-Status"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readArchiveDays: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The finished sessions */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator of these bytes.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description Five minutes.
                     * @example public, max-age=300
                     */
                    "Cache-Control": string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "days": [
                     *         {
                     *           "day": "2026-10-14",
                     *           "revision": "9f2b61c0a7d4e835",
                     *           "grade": "good",
                     *           "simulated": false,
                     *           "orders": 1204,
                     *           "open": 5931.2,
                     *           "close": 5944.75,
                     *           "flip_close": 5938.1,
                     *           "reason": null,
                     *           "condition": "complete",
                     *           "conditions": [
                     *             "complete"
                     *           ],
                     *           "condition_reason": null,
                     *           "published_at": "2026-10-14T20:41:07Z",
                     *           "edition": 1,
                     *           "published_reason": null,
                     *           "due_at": "2026-10-14T23:15:00Z",
                     *           "due_reason": null
                     *         }
                     *       ],
                     *       "first": "2026-10-14",
                     *       "last": "2026-10-14"
                     *     }
                     */
                    "application/json": components["schemas"]["ArchiveDays"];
                };
            };
            /** @description The client has this version. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator of these bytes.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description Five minutes.
                     * @example public, max-age=300
                     */
                    "Cache-Control": string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readArchiveGrades: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How stated levels turned out */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator of these bytes.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description Five minutes.
                     * @example public, max-age=300
                     */
                    "Cache-Control": string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "groups": [
                     *         {
                     *           "simulated": false,
                     *           "sessions": 60,
                     *           "levels": [
                     *             {
                     *               "book": "measured",
                     *               "kind": "call_wall",
                     *               "role": "level",
                     *               "judged": 310,
                     *               "touched": 120,
                     *               "held": 66,
                     *               "held_share": 0.55,
                     *               "held_error": 0.05,
                     *               "wall_over_it": null,
                     *               "wall_over_it_error": null
                     *             }
                     *           ],
                     *           "regimes": [
                     *             {
                     *               "book": "measured",
                     *               "judged": 700,
                     *               "calm_share": 0.6,
                     *               "brier": 0.25,
                     *               "brier_error": 0.01,
                     *               "constant_brier": 0.24,
                     *               "bins": [
                     *                 {
                     *                   "from": 0.9,
                     *                   "to": 1,
                     *                   "judged": 80,
                     *                   "stated": 0.96,
                     *                   "calm": 0.7
                     *                 }
                     *               ]
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "sessions": [
                     *         {
                     *           "day": "2026-10-14",
                     *           "revision": "9f2b61c0a7d4e835",
                     *           "simulated": false,
                     *           "judged": 12,
                     *           "touched": 5,
                     *           "held": 3,
                     *           "brier": 0.21,
                     *           "reason": null
                     *         }
                     *       ],
                     *       "errata": [
                     *         {
                     *           "date": "2026-11-27",
                     *           "what": "The flip of the open-interest book had an interval.",
                     *           "sessions": "all that were built before, until they are built again"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ArchiveGrades"];
                };
            };
            /** @description The client has this version. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator of these bytes.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description Five minutes.
                     * @example public, max-age=300
                     */
                    "Cache-Control": string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readArchiveSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A finished session.
                 * @example 2026-10-14
                 */
                day: components["schemas"]["Day"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A finished session */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator of these bytes.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description Five minutes.
                     * @example public, max-age=300
                     */
                    "Cache-Control": string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArchiveSession"];
                };
            };
            /** @description The client has this version. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator of these bytes.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description Five minutes.
                     * @example public, max-age=300
                     */
                    "Cache-Control": string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readArchiveGamma: {
        parameters: {
            query?: {
                /** @description Whose curves; left out, the measured book. */
                book?: "measured" | "vol" | "oi";
            };
            header?: never;
            path: {
                /**
                 * @description A finished session.
                 * @example 2026-10-14
                 */
                day: components["schemas"]["Day"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The gamma curves of a finished session */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator of these bytes.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description Five minutes.
                     * @example public, max-age=300
                     */
                    "Cache-Control": string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArchiveGamma"];
                };
            };
            /** @description The client has this version. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator of these bytes.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description Five minutes.
                     * @example public, max-age=300
                     */
                    "Cache-Control": string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readArchiveStrikes: {
        parameters: {
            query?: {
                /** @description Whose curves; left out, the measured book. */
                book?: "measured" | "vol" | "oi";
                /** @description An ET minute: only those of its half hour, 11:00 to 11:29 of 11:14. */
                time?: string;
            };
            header?: never;
            path: {
                /**
                 * @description A finished session.
                 * @example 2026-10-14
                 */
                day: components["schemas"]["Day"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The gamma of each strike of a finished session */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator of these bytes.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description Five minutes.
                     * @example public, max-age=300
                     */
                    "Cache-Control": string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArchiveStrikes"];
                };
            };
            /** @description The client has this version. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator of these bytes.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description Five minutes.
                     * @example public, max-age=300
                     */
                    "Cache-Control": string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readSample: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Its name.
                 * @example index.json
                 */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole file. */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator of these bytes.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description A file never changes, a list may.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description Of a Parquet file: the SHA-256 of the whole (RFC 9530).
                     * @example sha-256=:RBNvE5Ukk9CJmtXNNdMGOmmeX0d4lFpEJ5ABFFxFI7w=:
                     */
                    "Repr-Digest"?: string;
                    /**
                     * @description `true` when the tape was made by the simulator: no such trades took place.
                     * @example true
                     */
                    "X-Simulated"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SampleIndex"];
                    "text/plain": unknown;
                    "application/sql": unknown;
                    "application/vnd.apache.parquet": unknown;
                };
            };
            /** @description The part of a Parquet file that Range asks for. */
            206: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator of these bytes.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description A file never changes, a list may.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description Of a Parquet file: the SHA-256 of the whole (RFC 9530).
                     * @example sha-256=:RBNvE5Ukk9CJmtXNNdMGOmmeX0d4lFpEJ5ABFFxFI7w=:
                     */
                    "Repr-Digest"?: string;
                    /**
                     * @description `true` when the tape was made by the simulator: no such trades took place.
                     * @example true
                     */
                    "X-Simulated"?: string;
                    /**
                     * @description Which part.
                     * @example bytes 0-3/81920
                     */
                    "Content-Range": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": unknown;
                };
            };
            /** @description The client has this version. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator of these bytes.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description A file never changes, a list may.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description Of a Parquet file: the SHA-256 of the whole (RFC 9530).
                     * @example sha-256=:RBNvE5Ukk9CJmtXNNdMGOmmeX0d4lFpEJ5ABFFxFI7w=:
                     */
                    "Repr-Digest"?: string;
                    /**
                     * @description `true` when the tape was made by the simulator: no such trades took place.
                     * @example true
                     */
                    "X-Simulated"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Its name.
                 * @example index.json
                 */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole file. */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator of these bytes.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description A file never changes, a list may.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description Of a Parquet file: the SHA-256 of the whole (RFC 9530).
                     * @example sha-256=:RBNvE5Ukk9CJmtXNNdMGOmmeX0d4lFpEJ5ABFFxFI7w=:
                     */
                    "Repr-Digest"?: string;
                    /**
                     * @description `true` when the tape was made by the simulator: no such trades took place.
                     * @example true
                     */
                    "X-Simulated"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SnapshotIndex"] | components["schemas"]["SnapshotManifest"];
                    "text/plain": unknown;
                    "application/sql": unknown;
                    "application/vnd.apache.parquet": unknown;
                };
            };
            /** @description The part of a Parquet file that Range asks for. */
            206: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator of these bytes.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description A file never changes, a list may.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description Of a Parquet file: the SHA-256 of the whole (RFC 9530).
                     * @example sha-256=:RBNvE5Ukk9CJmtXNNdMGOmmeX0d4lFpEJ5ABFFxFI7w=:
                     */
                    "Repr-Digest"?: string;
                    /**
                     * @description `true` when the tape was made by the simulator: no such trades took place.
                     * @example true
                     */
                    "X-Simulated"?: string;
                    /**
                     * @description Which part.
                     * @example bytes 0-3/81920
                     */
                    "Content-Range": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": unknown;
                };
            };
            /** @description The client has this version. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator of these bytes.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description A file never changes, a list may.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description Of a Parquet file: the SHA-256 of the whole (RFC 9530).
                     * @example sha-256=:RBNvE5Ukk9CJmtXNNdMGOmmeX0d4lFpEJ5ABFFxFI7w=:
                     */
                    "Repr-Digest"?: string;
                    /**
                     * @description `true` when the tape was made by the simulator: no such trades took place.
                     * @example true
                     */
                    "X-Simulated"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Green. */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description The client has this version. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readLive: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Yes. */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthLive"];
                };
            };
            /** @description The client has this version. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readReady: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Yes. */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthReady"];
                };
            };
            /** @description The client has this version. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of the data. */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            /** @description The client has this version. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeIdea: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Printable ASCII, new for each change, such as a UUID.
                 * @example 0f8fad5b-d9cb-469f-a165-70867728950e
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LabChat"];
            };
        };
        responses: {
            /** @description A rule, a question, or why there is no rule. */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description Present when the change was made before, and its answer is given again.
                     * @example true
                     */
                    "Idempotency-Replayed"?: "true";
                    /**
                     * @description Messages a day of the account (draft-ietf-httpapi-ratelimit-headers).
                     * @example "day";q=5000;w=86400
                     */
                    "RateLimit-Policy"?: string;
                    /**
                     * @description Messages left today, and seconds until midnight ET.
                     * @example "day";r=4999;t=52200
                     */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LabReply"];
                };
            };
        };
    };
    changeLabRun: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Printable ASCII, new for each change, such as a UUID.
                 * @example 0f8fad5b-d9cb-469f-a165-70867728950e
                 */
                "Idempotency-Key"?: string;
                /**
                 * @description `respond-async` answers the job at once (RFC 7240).
                 * @example respond-async
                 */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LabRun"];
            };
        };
        responses: {
            /** @description What the test found. */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description Present when the change was made before, and its answer is given again.
                     * @example true
                     */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LabRunAnswer"];
                };
            };
            /** @description The job, which is under way. */
            202: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description Present when the change was made before, and its answer is given again.
                     * @example true
                     */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LabJobBegun"];
                };
            };
        };
    };
    changeLabIdea: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LabAction"];
            };
        };
        responses: {
            /** @description The idea as it is now. */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LabActionAnswer"];
                };
            };
        };
    };
    readLabResult: {
        parameters: {
            query: {
                /**
                 * @description An idea.
                 * @example i_4fQ8sK2mZx0T
                 */
                id: string;
                /** @example backtest */
                kind: "backtest" | "quant";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What a test of an idea found */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LabResult"];
                };
            };
            /** @description What the client has, by its If-None-Match, is the newest there is. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readLabTrades: {
        parameters: {
            query: {
                /**
                 * @description A job of the account.
                 * @example j_4fQ8sK2mZx0T
                 */
                job: string;
                /**
                 * @description Rows of JSON to leave out; 0 when it is left out.
                 * @example 0
                 */
                start?: number;
                /**
                 * @description Rows of JSON at most; all when it is left out.
                 * @example 100
                 */
                count?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The trades behind a result */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LabTrades"];
                    "text/csv": unknown;
                    "application/vnd.apache.parquet": unknown;
                    "application/vnd.apache.arrow.stream": unknown;
                };
            };
            /** @description What the client has, by its If-None-Match, is the newest there is. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeStructRun: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Printable ASCII, new for each change, such as a UUID.
                 * @example 0f8fad5b-d9cb-469f-a165-70867728950e
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LabStructRun"];
            };
        };
        responses: {
            /** @description The job, which is under way. */
            202: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description Present when the change was made before, and its answer is given again.
                     * @example true
                     */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LabJobBegun"];
                };
            };
        };
    };
    readStructJob: {
        parameters: {
            query: {
                /**
                 * @description A job of the account.
                 * @example j_4fQ8sK2mZx0T
                 */
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How far a job is */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LabJobAnswer"];
                };
            };
            /** @description What the client has, by its If-None-Match, is the newest there is. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readLabState: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ideas, conveyor and credits */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LabState"];
                };
            };
            /** @description What the client has, by its If-None-Match, is the newest there is. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readLabThread: {
        parameters: {
            query: {
                /**
                 * @description An idea.
                 * @example i_4fQ8sK2mZx0T
                 */
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was said on an idea */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LabThread"];
                };
            };
            /** @description What the client has, by its If-None-Match, is the newest there is. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readLabVocabulary: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the language knows */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LabVocabulary"];
                };
            };
            /** @description What the client has, by its If-None-Match, is the newest there is. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readGeoItems: {
        parameters: {
            query?: {
                /**
                 * @description An ISO week; instead of `from` and `to`.
                 * @example 2026-W42
                 */
                week?: string;
                /**
                 * @description The first day, UTC.
                 * @example 2026-10-12
                 */
                from?: string;
                /**
                 * @description The last day, UTC; left out, today.
                 * @example 2026-10-18
                 */
                to?: string;
                /**
                 * @description Countries, ISO 3166, with commas between; 20 at most.
                 * @example UA,IL
                 */
                country?: string;
                /**
                 * @description `event` or `release`; left out, both.
                 * @example event
                 */
                kind?: string;
                /**
                 * @description Items of a page, 1 to 1000; left out, 100.
                 * @example 100
                 */
                limit?: string;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Items of the last 30 days */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GeoItems"];
                };
            };
            /** @description The client has this answer, by its If-None-Match. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readGeoWeeks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Weeks of the last 30 days */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GeoWeeks"];
                };
            };
            /** @description The client has this answer, by its If-None-Match. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readGeoCountries: {
        parameters: {
            query?: {
                /**
                 * @description An ISO week; instead of `from` and `to`.
                 * @example 2026-W42
                 */
                week?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Countries of a week */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GeoCountries"];
                };
            };
            /** @description The client has this answer, by its If-None-Match. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readGeoHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How new the records are */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GeoHealth"];
                };
            };
            /** @description The client has this answer, by its If-None-Match. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readGeoItemsOfAnyDay: {
        parameters: {
            query?: {
                /**
                 * @description An ISO week; instead of `from` and `to`.
                 * @example 2026-W42
                 */
                week?: string;
                /**
                 * @description The first day, UTC.
                 * @example 2026-10-12
                 */
                from?: string;
                /**
                 * @description The last day, UTC; left out, today.
                 * @example 2026-10-18
                 */
                to?: string;
                /**
                 * @description Countries, ISO 3166, with commas between; 20 at most.
                 * @example UA,IL
                 */
                country?: string;
                /**
                 * @description `event` or `release`; left out, both.
                 * @example event
                 */
                kind?: string;
                /**
                 * @description Items of a page, 1 to 1000; left out, 100.
                 * @example 100
                 */
                limit?: string;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Items of any days */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description Calls a UTC month of the account (draft-ietf-httpapi-ratelimit-headers).
                     * @example "month";q=10000;w=2678400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description Calls left this month, and seconds until the next one.
                     * @example "month";r=9690;t=1468800
                     */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GeoItems"];
                };
            };
            /** @description The client has this answer, by its If-None-Match. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description Calls a UTC month of the account (draft-ietf-httpapi-ratelimit-headers).
                     * @example "month";q=10000;w=2678400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description Calls left this month, and seconds until the next one.
                     * @example "month";r=9690;t=1468800
                     */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readGeoSources: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sources */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description Calls a UTC month of the account (draft-ietf-httpapi-ratelimit-headers).
                     * @example "month";q=10000;w=2678400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description Calls left this month, and seconds until the next one.
                     * @example "month";r=9690;t=1468800
                     */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GeoSources"];
                };
            };
            /** @description The client has this answer, by its If-None-Match. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description Calls a UTC month of the account (draft-ietf-httpapi-ratelimit-headers).
                     * @example "month";q=10000;w=2678400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description Calls left this month, and seconds until the next one.
                     * @example "month";r=9690;t=1468800
                     */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readGeoUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Calls of the month */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GeoUsage"];
                };
            };
            /** @description The client has this answer, by its If-None-Match. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description no-cache for the newest session, one minute for earlier ones.
                     * @example private, no-cache
                     */
                    "Cache-Control": string;
                    /**
                     * @description What else the answer depends on.
                     * @example Accept, Accept-Encoding, Authorization
                     */
                    Vary: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readGeoExport: {
        parameters: {
            query?: {
                /**
                 * @description An ISO week; instead of `from` and `to`.
                 * @example 2026-W42
                 */
                week?: string;
                /**
                 * @description The first day, UTC.
                 * @example 2026-10-12
                 */
                from?: string;
                /**
                 * @description The last day, UTC; left out, today.
                 * @example 2026-10-18
                 */
                to?: string;
                /**
                 * @description Countries, ISO 3166, with commas between; 20 at most.
                 * @example UA,IL
                 */
                country?: string;
                /**
                 * @description `event` or `release`; left out, both.
                 * @example event
                 */
                kind?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Items as CSV */
            200: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description Calls a UTC month of the account (draft-ietf-httpapi-ratelimit-headers).
                     * @example "month";q=10000;w=2678400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description Calls left this month, and seconds until the next one.
                     * @example "month";r=9690;t=1468800
                     */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id,kind,week,date,country,code,label,events,mentions,goldstein,url,source,…
                     *     geo_0300fe68dd56b58d,release,2026-W42,2026-10-15,US,180,jobless claims,,,,https://…,fred,…
                     */
                    "text/csv": string;
                };
            };
            /** @description The client has this answer, by its If-None-Match. */
            304: {
                headers: {
                    /**
                     * @description The call's id: the client's own, when it sent one of up to 64 safe characters.
                     * @example 5f0c1c1e-3c8e-4f0b-9a54-1f5d3f6f9c11
                     */
                    "X-Request-Id": string;
                    /**
                     * @description Strong validator, the same for every key.
                     * @example "71c073bd1dbb974a"
                     */
                    ETag: string;
                    /**
                     * @description Query parameters that were not understood, and had no effect; keys in them are cut.
                     * @example Day
                     */
                    "X-Ignored-Params"?: string;
                    /**
                     * @description Calls a UTC month of the account (draft-ietf-httpapi-ratelimit-headers).
                     * @example "month";q=10000;w=2678400
                     */
                    "RateLimit-Policy": string;
                    /**
                     * @description Calls left this month, and seconds until the next one.
                     * @example "month";r=9690;t=1468800
                     */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}

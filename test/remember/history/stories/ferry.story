=== fer-01 | 2026-08-10 09:40 | fix/relay-leak
> #ask ferry's RSS grows by ~40 MB an hour in production until the pod is killed. heap profile is in /tmp/heap.pb.gz
$ #pprof go tool pprof -top /tmp/heap.pb.gz | head -8
|Showing nodes accounting for 611.24MB, 97.11% of 629.43MB total
|      flat  flat%   sum%        cum   cum%
|  402.11MB 63.88% 63.88%   402.11MB 63.88%  ferry/internal/relay.newPump
|  118.09MB 18.76% 82.64%   118.09MB 18.76%  bufio.NewReaderSize
$ #goroutines curl -s localhost:6060/debug/pprof/goroutine?debug=1 | head -4
|goroutine profile: total 18422
|18371 @ 0x43e1d6 0x44f0a5 0x8a1c33 0x46f2e1
|#	0x8a1c32	ferry/internal/relay.(*Pump).run+0x92	/src/internal/relay/pump.go:61
" 18,371 pumps are still waiting on line 61, though only about 50 clients are connected. They never learn that the client went away.
< #read internal/relay/pump.go:50
|func (p *Pump) run() {
|	for msg := range p.in {
|		p.out <- msg
|	}
|}
~ #fix internal/relay/pump.go
-|	for msg := range p.in {
-|		p.out <- msg
-|	}
+|	for {
+|		select {
+|		case <-p.ctx.Done():
+|			return
+|		case msg := <-p.in:
+|			p.out <- msg
+|		}
+|	}
~ internal/relay/session.go
-|	ctx := context.Background()
+|	ctx, cancel := context.WithCancel(r.Context())
+|	defer cancel()
$ go test ./internal/relay/ -run Leak -count=20
|ok  	ferry/internal/relay	4.118s
= The growth was leaked goroutines: Pump.run waited for messages for ever because its context came from context.Background() and was never cancelled. Each pump held a 32 KB buffer. It now ends with the client's request; a test with goleak guards it.

=== fer-02 | 2026-08-21 14:00 | main
> #ask run the tests with -race, CI wants it from next week
$ #race go test -race ./...
!1
|==================
|WARNING: DATA RACE
|Write at 0x00c0001b4018 by goroutine 31:
|  ferry/internal/cache.(*LRU).Touch()
|      /home/dev/ferry/internal/cache/lru.go:88 +0x1c4
|Previous read at 0x00c0001b4018 by goroutine 29:
|  ferry/internal/cache.(*LRU).Get()
|      /home/dev/ferry/internal/cache/lru.go:52 +0x9a
|==================
|--- FAIL: TestConcurrentGet (0.04s)
|FAIL	ferry/internal/cache	0.291s
" Get takes only the read lock but calls Touch, which moves the entry to the front: that writes. A plain mutex is right here, an LRU has no read-only Get.
~ #fix internal/cache/lru.go
-|	mu sync.RWMutex
+|	mu sync.Mutex
$ go test -race -count=10 ./internal/cache/
|ok  	ferry/internal/cache	2.907s
$ go test -bench Get ./internal/cache/ | grep ns/op
|BenchmarkGet-8   	18214402	        64.9 ns/op
= LRU.Get held a read lock while Touch changes the list. lru.go uses a plain Mutex now (64.9 ns instead of 61.2 per Get, nothing anybody would notice). The whole suite is clean under -race.

=== fer-03 | 2026-09-07 10:25 | fix/balance-deadlock
> #ask settlement fails a few times a day with a postgres deadlock, logs/settle-0906.log
$ #log grep -A4 deadlock logs/settle-0906.log | head -12
|2026-09-06T03:11:40Z ERROR settle: pq: deadlock detected
|  SQLSTATE=40P01 DETAIL: Process 8121 waits for ShareLock on transaction 99120; blocked by process 8130.
|  Process 8130 waits for ShareLock on transaction 99118; blocked by process 8121.
|  query="UPDATE balances SET amount = amount + $1 WHERE account_id = $2"
? func.*UpdateBalances @ internal
|internal/settle/balances.go:34:func (s *Store) UpdateBalances(ctx context.Context, deltas map[int64]int64) error {
" Go iterates maps in random order, so two settlements lock the same accounts in opposite orders. Sorting the account ids gives every transaction the same order.
~ #fix internal/settle/balances.go
-|	for id, delta := range deltas {
+|	ids := slices.Sorted(maps.Keys(deltas))
+|	for _, id := range ids {
+|		delta := deltas[id]
$ go test ./internal/settle/ -run TestParallelSettle -count=50
|ok  	ferry/internal/settle	31.440s
= UpdateBalances locked accounts in Go's random map order, so two runs could wait for each other (40P01). It goes through the ids in ascending order now; 50 parallel runs without a deadlock. I kept the retry around the transaction, but it should not fire any more.

=== fer-04 | 2026-09-21 16:10 | chore/go-1.26
> #ask bump go to 1.26 and get vet clean
$ #vet go vet ./...
!1
|# ferry/internal/conn
|internal/conn/pool.go:47:9: range var c copies lock: ferry/internal/conn.Conn contains sync.Mutex
|internal/conn/pool.go:90:14: call of fmt.Printf copies lock value: ferry/internal/conn.Conn contains sync.Mutex
|# ferry/cmd/ferryctl
|cmd/ferryctl/main.go:118:3: fmt.Println arg list ends with redundant newline
~ #fix internal/conn/pool.go
-|	for _, c := range p.conns {
+|	for i := range p.conns {
+|		c := &p.conns[i]
~ cmd/ferryctl/main.go
-|		fmt.Println("done\n")
+|		fmt.Println("done")
$ go vet ./... && go test ./... 2>&1 | tail -3
|ok  	ferry/internal/conn	0.611s
|ok  	ferry/internal/relay	4.402s
|ok  	ferry/internal/settle	1.920s
= Go 1.26, vet is clean. The two copylocks findings in pool.go were a real bug: closing worked on a copy of the connection, so its mutex protected nothing.

=== fer-05 | 2026-10-05 09:15 | fix/grpc-keepalive
> #ask clients get disconnected every couple of minutes since the new load balancer
$ #err grpcurl -keepalive-time 10 -plaintext ferry.staging:7443 ferry.v1.Relay/Watch
!1
|ERROR:
|  Code: Unavailable
|  Message: closing transport due to: connection error: desc = "error reading from server: EOF", received prior goaway: code: ENHANCE_YOUR_CALM, debug data: "too_many_pings"
" The server itself cuts them: grpc-go allows one ping in five minutes by default and the clients were set to 10 seconds to survive the balancer's 60 s idle timeout.
~ #fix internal/server/grpc.go
-|	srv := grpc.NewServer(opts...)
+|	opts = append(opts, grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{
+|		MinTime:             20 * time.Second,
+|		PermitWithoutStream: true,
+|	}))
+|	srv := grpc.NewServer(opts...)
~ client/dial.go
-|	Time: 10 * time.Second,
+|	Time: 30 * time.Second,
$ grpcurl -keepalive-time 30 -max-time 600 -plaintext ferry.staging:7443 ferry.v1.Relay/Watch | tail -1
|{"seq": "5121"}
= Clients pinged every 10 s, the server's enforcement policy allows one per 5 min and answered GOAWAY ENHANCE_YOUR_CALM. Server: MinTime 20 s, PermitWithoutStream; clients: 30 s, well under the balancer's 60 s idle timeout. A stream stayed open for ten minutes.

=== fer-06 | 2026-10-21 13:30 | spike/events
> #outbox we need to publish settlement events to other teams. Debezium on the WAL, or an outbox table that we poll? think about who has to run it at night
$ psql ferry -c "SELECT slot_name, active, pg_size_pretty(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)) FROM pg_replication_slots"
| slot_name | active | pg_size_pretty
|-----------+--------+----------------
|(0 rows)
" We write about 30 events a second. A replication slot that nobody reads fills the disk; with two people on call I would not want that. Polling at 200 ms is fine for all consumers.
+ #table migrations/0031_outbox.sql
|CREATE TABLE outbox (id bigserial PRIMARY KEY, topic text NOT NULL, body jsonb NOT NULL, published_at timestamptz);
|CREATE INDEX outbox_unpublished ON outbox (id) WHERE published_at IS NULL;
= Decision: transactional outbox with a poller (every 200 ms, SELECT … FOR UPDATE SKIP LOCKED), not Debezium. Reasons: 30 events/s need no CDC; a stalled replication slot would fill the disk of the main database at night; consumers tolerate half a second. Reconsider above 2,000 events/s.

=== fer-07 | 2026-09-28 11:20 | main
> ferryctl drain hangs when a pod has no sessions
$ timeout 5 go run ./cmd/ferryctl drain --pod ferry-0
!124
|draining ferry-0 ...
< cmd/ferryctl/drain.go:22
|	wg.Add(1)
|	for _, s := range sessions {
|		go func() { defer wg.Done(); s.Close() }()
|	}
|	wg.Wait()
" Add(1) outside of the loop: with no session nobody calls Done.
~ cmd/ferryctl/drain.go
-|	wg.Add(1)
-|	for _, s := range sessions {
+|	for _, s := range sessions {
+|		wg.Add(1)
$ go run ./cmd/ferryctl drain --pod ferry-0
|draining ferry-0 ... 0 sessions, done
= drain counted one too many; with zero sessions it waited for ever. Fixed.

=== fer-08 | 2026-10-30 10:08 | main
> p99 of /watch went up after the cache change, memory is fine. look
$ go tool pprof -top /tmp/cpu.pb.gz | head -5
|      flat  flat%   sum%        cum   cum%
|     4.21s 38.10% 38.10%      4.21s 38.10%  runtime.lock2
|     1.90s 17.19% 55.29%      6.02s 54.48%  ferry/internal/cache.(*LRU).Get
" Lock contention on the LRU: eight cores, one mutex. Sixteen shards by key hash spread it.
~ #shard internal/cache/lru.go
-|type LRU struct {
+|type shard struct {
$ go test -bench Parallel ./internal/cache/ | grep ns/op
|BenchmarkParallelGet-8   	41120388	        28.4 ns/op
= lru.go is split into 16 shards by hash of the key; parallel Get went from 211 ns to 28 ns and p99 of /watch is back at 9 ms.

=== fer-09 | 2026-10-12 15:40 | main
> ferry-1 logged "too many open files" last night
$ kubectl -n prod exec ferry-1 -- sh -c 'ls /proc/1/fd | wc -l; ulimit -n'
|1024
|1024
~ internal/relay/frame.go
-|	f, err := os.Open(spill)
+|	f, err := os.Open(spill)
+|	defer f.Close()
= Spill files were opened and never closed. Fixed; descriptors stay around 90.
> settlement report shows a negative balance for account 4410
$ psql ferry -c "SELECT id, amount, created_at FROM entries WHERE account_id=4410 ORDER BY id DESC LIMIT 3"
| 99121 | -1200 | 2026-10-11 22:00:04
| 99102 |  1200 | 2026-10-11 21:59:58
" The credit is there, the report is taken between the two.
= Not a bug in the books: the report ran between debit and credit of one settlement. It reads in one snapshot now (REPEATABLE READ).
> clients reconnect all at once after a deploy and the database suffers
~ client/dial.go
-|	backoff := time.Second
+|	backoff := time.Second + rand.N(4*time.Second)
= Reconnects are spread over four seconds by jitter.
> should the config be yaml or environment only?
? os.Getenv @ cmd
|cmd/ferry/main.go:22:	dsn := os.Getenv("FERRY_DSN")
= Keep environment variables only: twelve settings, and kubernetes sets them anyway.

=== bae-01 | 2026-08-05 01:10 | fix/coupon-over-issue
> #ask 어제 선착순 쿠폰 이벤트에서 1,000장 한정인데 1,037장이 나갔어. 원인 찾아줘
" 쿠폰 발급 코드부터 보겠습니다.
< #read src/main/kotlin/kr/baedal/coupon/CouponService.kt
|@Transactional
|fun issue(couponId: Long, userId: Long): IssuedCoupon {
|    val coupon = couponRepository.findById(couponId).orElseThrow()
|    if (coupon.issuedCount >= coupon.totalCount) throw SoldOutException()
|    coupon.issuedCount += 1
|    return issuedCouponRepository.save(IssuedCoupon(couponId, userId))
|}
" 읽고 나서 증가시키는 구조라 동시에 들어온 요청들이 같은 issuedCount를 보고 모두 통과합니다. 재현 테스트를 먼저 만들겠습니다.
+ #test src/test/kotlin/kr/baedal/coupon/CouponConcurrencyTest.kt
|@Test
|fun `동시에 2000명이 요청해도 1000장만 발급된다`() { runConcurrently(2000) { service.issue(1, it) } }
$ #fail ./gradlew test --tests '*CouponConcurrencyTest*'
!1
|CouponConcurrencyTest > 동시에 2000명이 요청해도 1000장만 발급된다() FAILED
|    org.opentest4j.AssertionFailedError: expected: <1000> but was: <1041>
|BUILD FAILED in 21s
" 비관적 락은 커넥션을 오래 잡고 있어서 이벤트 때 풀이 마를 수 있습니다. 조건부 UPDATE 한 번으로 원자적으로 처리하겠습니다.
~ #fix src/main/kotlin/kr/baedal/coupon/CouponRepository.kt
-|interface CouponRepository : JpaRepository<Coupon, Long>
+|interface CouponRepository : JpaRepository<Coupon, Long> {
+|    @Modifying
+|    @Query("update Coupon c set c.issuedCount = c.issuedCount + 1 where c.id = :id and c.issuedCount < c.totalCount")
+|    fun tryIncrease(id: Long): Int
+|}
$ ./gradlew test --tests '*CouponConcurrencyTest*'
|BUILD SUCCESSFUL in 24s
= 원인은 동시성 문제였습니다. 재고(발급 수량)를 읽고 비교한 뒤 증가시키는 사이에 다른 요청이 끼어들어 한도를 넘겨 발급됐습니다. `tryIncrease` 조건부 UPDATE로 바꿔서 한도를 DB가 보장합니다. 락 대기가 없어서 초당 처리량도 줄지 않았습니다. 초과 발급된 37장은 운영팀이 유효 처리하기로 했습니다.

=== bae-02 | 2026-08-18 02:20 | perf/order-list
> #ask 주문 목록 API가 너무 느려. 쿼리가 수백 개 나가는 것 같은데
$ grep -c 'select .* from order_item' logs/sql.log
|204
" 전형적인 N+1입니다. 주문마다 항목과 옵션을 따로 조회합니다. fetch join으로 묶어 보겠습니다.
~ src/main/kotlin/kr/baedal/order/OrderQueryRepository.kt
-|    @Query("select o from Order o where o.userId = :userId")
+|    @Query("select o from Order o join fetch o.items join fetch o.payments where o.userId = :userId")
$ #err ./gradlew test --tests '*OrderQueryRepositoryTest*'
!1
|OrderQueryRepositoryTest > initializationError FAILED
|    Caused by: org.hibernate.loader.MultipleBagFetchException: cannot simultaneously fetch multiple bags: [kr.baedal.order.Order.items, kr.baedal.order.Order.payments]
" List 두 개를 한 번에 fetch join 할 수 없습니다. 하나만 조인하고 나머지는 batch size로 가져오는 편이 페이징에도 안전합니다.
~ #fix src/main/resources/application.yml
-|      hibernate.format_sql: false
+|      hibernate.format_sql: false
+|      hibernate.default_batch_fetch_size: 100
$ ./gradlew test --tests '*OrderQueryRepositoryTest*'
|BUILD SUCCESSFUL in 18s
= 주문 목록 쿼리가 204개에서 3개로 줄었습니다. items만 fetch join 하고 payments는 default_batch_fetch_size=100으로 IN 조회합니다. MultipleBagFetchException 때문에 둘 다 조인할 수는 없습니다. 응답 시간은 1.8초에서 90ms가 됐습니다.

=== bae-03 | 2026-08-31 00:40 | fix/settlement-date
> #ask 사장님들 정산 금액이 하루씩 밀려서 나온대. 새벽 주문이 전날로 잡히는 것 같아
? LocalDateTime.now\(\) @ src/main/kotlin/kr/baedal/settlement
|src/main/kotlin/kr/baedal/settlement/SettlementJob.kt:33:    val today = LocalDateTime.now().toLocalDate()
|src/main/kotlin/kr/baedal/settlement/SettlementWindow.kt:12:    val end = LocalDateTime.now()
$ #date kubectl exec deploy/baedal-batch -- date
|Sun Aug 30 15:41:07 UTC 2026
" 배치 서버가 UTC라서 한국 시간 0시부터 9시 사이의 주문이 전날 정산으로 들어갑니다. 서버 시간대에 기대지 말고 코드에서 서울 시간을 명시하겠습니다.
~ #fix src/main/kotlin/kr/baedal/settlement/SettlementWindow.kt
-|    val end = LocalDateTime.now()
+|    // 정산일은 항상 한국 시간 기준
+|    val end = ZonedDateTime.now(clock.withZone(ZoneId.of("Asia/Seoul")))
$ ./gradlew test --tests 'kr.baedal.settlement.*'
|BUILD SUCCESSFUL in 12s
= 정산이 하루 밀린 이유는 배치 파드가 UTC로 도는데 LocalDateTime.now()로 날짜를 잘랐기 때문입니다. SettlementWindow와 SettlementJob이 Clock을 주입받고 Asia/Seoul 기준으로 계산합니다. 8월 24일~30일 분은 재정산이 필요합니다.

=== bae-04 | 2026-09-11 05:00 | fix/point-restore
> #ask 결제 취소하면 카드 환불은 되는데 사용한 포인트가 안 돌아와
< src/main/kotlin/kr/baedal/payment/CancelService.kt:20
|fun cancel(paymentId: Long) {
|    pg.refund(paymentId)
|    restorePoint(paymentId)
|}
|
|@Transactional(propagation = Propagation.REQUIRES_NEW)
|fun restorePoint(paymentId: Long) { ... }
$ #log grep -n '포인트 복구' logs/app-0910.log | head -3
|88121: WARN  포인트 복구 실패 paymentId=55210 TransactionRequiredException: no transaction is in progress
" 같은 클래스 안에서 restorePoint를 직접 호출하니 스프링 프록시를 거치지 않아 @Transactional이 걸리지 않습니다. 예외는 로그만 남기고 삼켜지고 있었습니다.
~ #fix src/main/kotlin/kr/baedal/payment/CancelService.kt
-|    restorePoint(paymentId)
+|    pointRestorer.restore(paymentId)
+ #restorer src/main/kotlin/kr/baedal/payment/PointRestorer.kt
|@Component
|class PointRestorer(private val points: PointRepository) {
|    @Transactional(propagation = Propagation.REQUIRES_NEW)
|    fun restore(paymentId: Long) { points.restoreByPayment(paymentId) }
|}
$ ./gradlew test --tests '*CancelServiceTest*'
|BUILD SUCCESSFUL in 15s
= self-invocation 문제였습니다. 같은 빈 안의 호출이라 트랜잭션이 열리지 않았고 포인트 복구가 조용히 실패했습니다. PointRestorer 빈으로 분리했습니다. 9월 3일 이후 실패한 218건은 재처리 스크립트로 돌려주면 됩니다.

=== bae-05 | 2026-09-23 01:30 | chore/jdk21
> #ask JDK 21로 올렸더니 빌드가 깨져
$ #err ./gradlew build
!1
|FAILURE: Build failed with an exception.
|* What went wrong:
|Could not open settings generic class cache for settings file '/home/dev/baedal-api/settings.gradle.kts'.
|> BUG! exception in phase 'semantic analysis' in source unit '_BuildScript_' Unsupported class file major version 65
" major version 65가 JDK 21입니다. Gradle 7.6은 JDK 19까지만 지원하니 래퍼를 올려야 합니다.
$ #fix ./gradlew wrapper --gradle-version 8.5 --distribution-type bin
|BUILD SUCCESSFUL in 2s
$ ./gradlew build -x test
|BUILD SUCCESSFUL in 1m 3s
= Gradle 래퍼를 7.6에서 8.5로 올려서 해결했습니다. JDK 21(class file 65)은 Gradle 8.5부터 실행 환경으로 지원됩니다. kapt는 그대로 동작합니다.

=== bae-06 | 2026-10-08 04:15 | fix/alimtalk
> #ask 주문 접수 알림톡이 어제 저녁부터 안 나가
$ #err tail -3 logs/alimtalk-1007.log
|2026-10-07 19:02:11 ERROR 알림톡 발송 실패 code=KA-3016 message=템플릿 변수가 일치하지 않습니다 template=order_accepted_v3
|2026-10-07 19:02:12 ERROR 알림톡 발송 실패 code=KA-3016 message=템플릿 변수가 일치하지 않습니다 template=order_accepted_v3
|2026-10-07 19:02:12 WARN  재시도 3회 초과, 폐기 orderId=901233
? order_accepted_v3 @ src/main
|src/main/kotlin/kr/baedal/notify/AlimtalkTemplates.kt:21:    ORDER_ACCEPTED("order_accepted_v3", listOf("가게명", "주문번호")),
" 카카오에 등록된 v3 템플릿에는 #{예상시간}이 추가됐는데 코드는 두 개만 보냅니다. 마케팅팀이 저녁에 템플릿을 바꿨네요.
~ #fix src/main/kotlin/kr/baedal/notify/AlimtalkTemplates.kt
-|    ORDER_ACCEPTED("order_accepted_v3", listOf("가게명", "주문번호")),
+|    ORDER_ACCEPTED("order_accepted_v3", listOf("가게명", "주문번호", "예상시간")),
~ #fallback src/main/kotlin/kr/baedal/notify/AlimtalkSender.kt
-|        if (attempt > 3) return log.warn("재시도 3회 초과, 폐기")
+|        if (attempt > 3) return smsFallback.send(order) // 알림톡이 막히면 문자로 보낸다
= KA-3016은 템플릿 변수 불일치입니다. 예상시간 변수를 추가했고, 세 번 실패하면 버리지 않고 문자로 대체 발송합니다. 기동할 때 카카오 템플릿과 변수 목록을 비교하는 점검도 넣는 게 좋겠습니다.

=== bae-07 | 2026-10-20 06:00 | spike/rider-location
> #sse 라이더 위치를 고객 앱에 실시간으로 보여주려고 해. 웹소켓이랑 SSE 중에 뭐가 나을까? 지금 인프라 보고 정해줘
$ kubectl -n web get ingress baedal -o jsonpath='{.metadata.annotations}'
|{"nginx.ingress.kubernetes.io/proxy-read-timeout":"60"}
? @RestController @ src/main/kotlin/kr/baedal/rider
|src/main/kotlin/kr/baedal/rider/RiderLocationController.kt:9:@RestController
" 서버에서 고객 쪽으로만 흐르는 데이터이고 3초에 한 번이면 충분합니다. 양방향 연결은 필요 없습니다.
+ #stream src/main/kotlin/kr/baedal/rider/RiderLocationStream.kt
|@GetMapping("/riders/{id}/location", produces = [TEXT_EVENT_STREAM_VALUE])
|fun stream(@PathVariable id: Long): SseEmitter = hub.subscribe(id)
= 결정: 웹소켓 대신 SSE로 갑니다. 이유는 (1) 단방향 전송만 필요하고 (2) 기존 HTTP 인증과 로드밸런서를 그대로 쓸 수 있고 (3) 끊겨도 브라우저와 앱이 Last-Event-ID로 알아서 이어받습니다. 채팅 기능이 들어오면 그때 웹소켓을 다시 검토합니다. 인그레스 read timeout은 60초라서 25초마다 하트비트를 보냅니다.

=== bae-08 | 2026-11-04 02:10 | feat/store-search
> #ask 가게 이름 검색에서 "굽네" 라고 치면 "굽네치킨 역삼점"이 안 나와
$ #explain mysql baedal -e "EXPLAIN SELECT id FROM store WHERE MATCH(name) AGAINST('굽네' IN BOOLEAN MODE)"
|id	select_type	table	type	key	rows	Extra
|1	SIMPLE	store	fulltext	ft_store_name	1	Using where
$ mysql baedal -e "SHOW VARIABLES LIKE 'ngram_token_size'; SHOW CREATE TABLE store\G" | grep -E 'ngram|FULLTEXT'
|ngram_token_size	2
|  FULLTEXT KEY `ft_store_name` (`name`)
" 전문 인덱스가 기본 파서라 띄어쓰기 단위로만 단어를 자릅니다. "굽네치킨"이 한 단어라 "굽네"로는 찾을 수 없습니다. ngram 파서로 다시 만들겠습니다.
+ #fix src/main/resources/db/migration/V84__store_name_ngram.sql
|ALTER TABLE store DROP INDEX ft_store_name;
|ALTER TABLE store ADD FULLTEXT INDEX ft_store_name_ngram (name) WITH PARSER ngram;
$ mysql baedal -e "SELECT name FROM store WHERE MATCH(name) AGAINST('굽네' IN BOOLEAN MODE) LIMIT 2"
|굽네치킨 역삼점
|굽네치킨 선릉점
= MySQL 전문 검색 인덱스를 ngram 파서(2글자)로 바꿨습니다. 이제 가게 이름 일부만 쳐도 나옵니다. 인덱스 크기는 38MB에서 121MB로 늘었습니다. 한 글자 검색은 여전히 안 되니 앱에서 두 글자부터 요청하게 해야 합니다.

=== bae-09 | 2026-09-16 03:00 | fix/coupon-expire
> 만료된 쿠폰이 결제 화면에 계속 보여
< src/main/kotlin/kr/baedal/coupon/CouponQuery.kt
|fun usable(userId: Long) = repository.findByUserIdAndUsedFalse(userId)
" 사용 여부만 보고 만료일은 조건에 없습니다.
~ src/main/kotlin/kr/baedal/coupon/CouponQuery.kt
-|fun usable(userId: Long) = repository.findByUserIdAndUsedFalse(userId)
+|fun usable(userId: Long) = repository.findByUserIdAndUsedFalseAndExpiresAtAfter(userId, now())
$ ./gradlew test --tests '*CouponQueryTest*'
|BUILD SUCCESSFUL in 9s
= 만료일 조건을 추가했습니다. 만료된 쿠폰은 더 이상 목록에 나오지 않습니다.

=== bae-10 | 2026-10-27 05:30 | perf/settlement-batch
> #ask 정산 배치가 40분 걸려. 줄여줘
$ grep 'chunk' logs/batch-1026.log | tail -2
|Step settleStores executed in 38m12s, chunk size 10, commits 41220
" 청크가 10이라 커밋이 4만 번 일어납니다.
~ #fix src/main/kotlin/kr/baedal/settlement/SettlementJob.kt
-|        .chunk<Order, Settlement>(10, tx)
+|        .chunk<Order, Settlement>(1000, tx)
$ ./gradlew bootRun --args='--job=settle --day=2026-10-26'
|Step settleStores executed in 4m3s
= 청크 크기를 10에서 1000으로 올려서 정산 배치가 38분에서 4분으로 줄었습니다.

=== bae-11 | 2026-10-13 04:50 | main
> 라이더 정산 금액이 100원씩 안 맞아
? roundTo @ src/main/kotlin/kr/baedal/settlement
|src/main/kotlin/kr/baedal/settlement/RiderFee.kt:18:    val fee = roundTo(base * rate, 10)
" 건별로 반올림해서 합계가 어긋납니다. 합계를 먼저 내고 한 번만 반올림하겠습니다.
~ src/main/kotlin/kr/baedal/settlement/RiderFee.kt
-|    val fee = roundTo(base * rate, 10)
+|    val fee = base * rate // 합계에서 한 번만 반올림
= 건별 반올림을 없애고 합계에서 한 번만 반올림합니다.
> 쿠폰 발급 알림이 두 번 가는 사람이 있대
$ grep -c 'coupon-issued' logs/push-1012.log
|412
" 발급 이벤트를 받는 리스너가 두 서버에 모두 떠 있습니다.
~ src/main/kotlin/kr/baedal/notify/PushSender.kt
-|    @EventListener
+|    @SqsListener("coupon-issued")
= 알림은 이제 큐에서 한 서버만 가져갑니다.
> 리뷰 목록이 느린데 인덱스 확인해줘
$ mysql baedal -e "SHOW INDEX FROM review" | awk '{print $3}'
|PRIMARY
|idx_review_store
= store_id 인덱스는 있습니다. 느린 건 이미지 주소를 건별로 서명해서 그렇고, 목록에서는 썸네일만 쓰도록 바꾸는 게 좋겠습니다.
> 레디스랑 카페인 캐시 중에 가게 정보는 어디에 둘까
= 가게 정보는 카페인(로컬)에 1분만 두는 게 낫습니다. 자주 안 바뀌고 서버가 4대뿐이라 레디스까지 갈 필요가 없습니다.

=== bae-12 | 2026-09-07 02:30 | main
> 결제 승인할 때 가끔 타임아웃 나는 거 확인해줘
$ grep 'ReadTimeout' logs/app-0906.log | head -2
|2026-09-06 19:20:11 ERROR ReadTimeoutException: PG 승인 응답 없음 orderId=771200
|2026-09-06 19:20:13 ERROR ReadTimeoutException: PG 승인 응답 없음 orderId=771204
~ src/main/kotlin/kr/baedal/payment/PayService.kt
-|        .responseTimeout(Duration.ofSeconds(3))
+|        .responseTimeout(Duration.ofSeconds(10))
= PG사 권장값이 10초인데 3초로 되어 있었습니다. 타임아웃 뒤에는 승인 조회로 결과를 확인합니다.
> 주문 취소 사유 코드 정리해줘
< src/main/kotlin/kr/baedal/order/OrderStatus.kt
|enum class CancelReason { CUSTOMER, STORE, RIDER, SYSTEM }
= 고객, 가게, 라이더, 시스템 네 가지입니다. 문서에 표로 정리했습니다.

=== app-01 | 2026-08-14 03:20 | chore/flutter-3.35
> #ask 플러터 올리고 나서 아이폰 빌드가 안 돼
$ #err cd ios && pod install
!1
|[!] CocoaPods could not find compatible versions for pod "Firebase/CoreOnly":
|  In snapshot (Podfile.lock):
|    Firebase/CoreOnly (= 10.25.0)
|  In Podfile:
|    firebase_core (from `.symlinks/plugins/firebase_core/ios`) was resolved to 3.8.0, which depends on
|      Firebase/CoreOnly (= 11.4.0)
" 락 파일이 예전 버전을 붙들고 있습니다. 최소 iOS 버전도 13으로 올려야 합니다.
~ #fix ios/Podfile
-|platform :ios, '12.0'
+|platform :ios, '13.0'
$ cd ios && rm Podfile.lock && pod install --repo-update
|Pod installation complete! There are 31 dependencies from the Podfile and 84 total pods installed.
= Podfile.lock을 지우고 저장소를 갱신해서 Firebase 11.4로 맞췄습니다. iOS 최소 버전이 13이 됐으니 공지가 필요합니다.

=== app-02 | 2026-09-04 04:40 | fix/cart-tap
> #ask 장바구니에서 + 버튼을 빠르게 여러 번 누르면 수량이 이상해져. 3번 눌렀는데 5개가 되기도 하고
< lib/cart/cart_controller.dart
|Future<void> increase(String itemId) async {
|  final cart = await api.addItem(itemId, 1);
|  state = cart;
|}
" 누를 때마다 요청이 나가고 응답 순서가 뒤섞입니다. 마지막 응답이 마지막 요청의 것이 아닐 수 있습니다. 화면은 바로 올리고 서버에는 300ms 뒤에 최종 수량만 보내겠습니다.
~ #fix lib/cart/cart_controller.dart
-|  final cart = await api.addItem(itemId, 1);
-|  state = cart;
+|  state = state.withQuantity(itemId, state.quantityOf(itemId) + 1);
+|  _debounce(itemId, () => api.setQuantity(itemId, state.quantityOf(itemId)));
$ flutter test test/cart
|00:06 +14: All tests passed!
= 연타하면 요청이 여러 개 겹쳐서 늦게 온 응답이 수량을 덮어썼습니다. 이제 증가분이 아니라 최종 수량을 보내고 300ms 디바운스를 겁니다. 서버는 같은 값을 두 번 받아도 결과가 같습니다.

=== app-03 | 2026-09-28 05:10 | fix/android-push
> #ask 갤럭시 S24 쓰는 사람들이 푸시가 안 온대. 토큰은 잘 등록돼 있어
$ #adb adb shell dumpsys package kr.baedal.app | grep -i notif
|      android.permission.POST_NOTIFICATIONS: granted=false, flags=[ USER_SENSITIVE_WHEN_GRANTED ]
" 안드로이드 13부터는 알림이 런타임 권한입니다. targetSdk를 34로 올리면서 묻는 코드가 없어 기본값이 거부가 됐습니다.
~ #fix android/app/src/main/AndroidManifest.xml
-|    <uses-permission android:name="android.permission.INTERNET"/>
+|    <uses-permission android:name="android.permission.INTERNET"/>
+|    <uses-permission android:name="android.permission.POST_NOTIFICATIONS"/>
~ #setup lib/push/push_setup.dart
-|  await messaging.getToken();
+|  if (await needsNotificationPermission()) await askAfterFirstOrder();
+|  await messaging.getToken();
= targetSdk 34에서는 POST_NOTIFICATIONS 권한을 직접 요청해야 합니다. 첫 주문을 마친 뒤에 물어보도록 했습니다. 시작하자마자 물으면 거절 비율이 높습니다.

=== app-04 | 2026-10-16 06:20 | fix/map-crash
> #ask 지도 화면을 들락날락하면 앱이 느려지다가 꺼져
$ #err flutter run --profile -d R3CT | grep -A3 EXCEPTION
|══╡ EXCEPTION CAUGHT BY WIDGETS LIBRARY ╞══
|setState() called after dispose(): _RiderMapState#8f1e2(lifecycle state: defunct, not mounted)
|This error might indicate a memory leak if setState() is being called because another object is retaining a reference to this State object after it has been removed from the tree.
? listen\( @ lib/map
|lib/map/rider_map.dart:41:    riderLocation.stream.listen((p) => setState(() => rider = p));
" 화면을 떠나도 위치 스트림 구독을 해제하지 않아서 들어올 때마다 하나씩 쌓입니다.
~ #fix lib/map/rider_map.dart
-|    riderLocation.stream.listen((p) => setState(() => rider = p));
+|    _sub = riderLocation.stream.listen((p) => setState(() => rider = p));
+|  }
+|  @override
+|  void dispose() {
+|    _sub?.cancel();
+|    super.dispose();
$ flutter test test/map
|00:04 +6: All tests passed!
= rider_map.dart에서 위치 구독을 dispose 때 취소합니다. 지도에 30번 들어갔다 나와도 메모리가 210MB 근처에서 유지됩니다. 전에는 900MB를 넘기고 종료됐습니다.

=== app-05 | 2026-11-05 03:15 | main
> #riverpod 상태 관리를 Provider에서 다른 걸로 바꿀지 고민이야. Riverpod, Bloc 중에 추천해줘. 화면이 60개쯤 돼
$ grep -rl 'ChangeNotifierProvider' lib | wc -l
|47
$ grep -rn 'context.read<' lib --include=*.dart | wc -l
|318
" context 없이 접근해야 하는 곳(푸시, 딥링크)이 이미 꽤 있고 테스트에서 트리를 띄우느라 느립니다.
+ #adr docs/adr/0004-riverpod.md
|# 상태 관리: Riverpod
|배경: 푸시 핸들러처럼 위젯 트리 밖에서 상태를 읽어야 한다.
|선택: Riverpod. 화면 단위로 옮기고 Provider와 당분간 같이 쓴다.
= 결정: Riverpod로 옮깁니다. 위젯 트리 밖(푸시, 딥링크)에서도 읽을 수 있고, 컴파일 시점에 타입이 잡히고, 테스트에서 override가 쉽습니다. Bloc은 이벤트 클래스가 많아져서 화면 60개에는 부담입니다. 새 화면부터 쓰고 기존 화면은 고칠 때 옮깁니다.

=== app-06 | 2026-10-23 04:05 | fix/address-overflow
> 주소가 길면 화면이 노란 줄로 깨져
$ flutter test test/address/address_card_test.dart
!1
|══╡ EXCEPTION CAUGHT BY RENDERING LIBRARY ╞══
|A RenderFlex overflowed by 42 pixels on the right.
~ lib/address/address_card.dart
-|  Text(address.full),
+|  Expanded(child: Text(address.full, overflow: TextOverflow.ellipsis, maxLines: 2)),
$ flutter test test/address
|00:03 +5: All tests passed!
= 주소 텍스트를 Expanded로 감싸서 두 줄에서 말줄임합니다.

=== app-07 | 2026-09-18 05:45 | fix/android-back
> 안드로이드에서 뒤로가기 누르면 결제 화면에서 앱이 바로 꺼져
? WillPopScope @ lib
|lib/payment/payment_page.dart:28:    return WillPopScope(onWillPop: _confirmLeave, child: body);
" 예측 뒤로가기를 켠 뒤로 WillPopScope는 호출되지 않습니다. PopScope로 바꿔야 합니다.
~ lib/payment/payment_page.dart
-|    return WillPopScope(onWillPop: _confirmLeave, child: body);
+|    return PopScope(canPop: false, onPopInvokedWithResult: _confirmLeave, child: body);
= 결제 화면은 PopScope로 바꿨고, 뒤로가기를 누르면 나갈지 한 번 물어봅니다.

=== app-08 | 2026-10-30 05:00 | main
> 홈 배너 이미지가 깜빡거려
~ lib/home/banner.dart
-|  Image.network(url)
+|  CachedNetworkImage(imageUrl: url, fadeInDuration: Duration.zero)
= 캐시된 이미지를 쓰고 페이드를 없앴습니다.
> 아이폰에서 푸시 소리가 안 나
? presentationOptions @ lib/push
|lib/push/push_setup.dart:31:  await messaging.setForegroundNotificationPresentationOptions(alert: true);
~ lib/push/push_setup.dart
-|(alert: true)
+|(alert: true, sound: true, badge: true)
= 포그라운드 알림 옵션에 sound가 빠져 있었습니다.
> 지도 마커가 확대하면 흐려져
~ lib/map/marker_icon.dart
-|  final icon = await load('marker.png');
+|  final icon = await load('marker.png', scale: devicePixelRatio);
= 기기 배율에 맞는 아이콘을 씁니다.
> 메뉴 담기 누르면 같은 메뉴가 두 줄로 나와
" 옵션 순서가 다르면 다른 항목으로 봅니다.
~ lib/cart/cart_page.dart
-|  key: item.optionIds.join()
+|  key: (item.optionIds..sort()).join()
= 옵션을 정렬해서 비교하니 한 줄로 합쳐집니다.

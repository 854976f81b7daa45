@lf_pool = internal constant [1 x i8] c"\00", align 4

define internal i16 @"run.init.0"(ptr %b, i8 zeroext %slot, ptr %record, ptr %frame, i16 zeroext %position) nounwind {
entry:
  br label %b.1
b.1:
  %b.1.t1 = getelementptr i8, ptr %b, i32 8
  %b.1.t2 = getelementptr i8, ptr %b, i32 8
  %b.1.t3 = load i16, ptr %b.1.t2, align 2
  %b.1.t4 = call { i16, i1 } @llvm.sadd.with.overflow.i16(i16 %b.1.t3, i16 1)
  %b.1.t5 = extractvalue { i16, i1 } %b.1.t4, 0
  %b.1.t6 = extractvalue { i16, i1 } %b.1.t4, 1
  %b.1.t7 = xor i1 %b.1.t6, true
  br i1 %b.1.t7, label %ok.1, label %bad.1, !prof !0
bad.1:
  %bad.1.t1 = sext i16 %b.1.t3 to i32
  call void @lf_fault(ptr %b, i8 zeroext 3, i16 zeroext 0, i32 %bad.1.t1, i32 1) #1
  unreachable
ok.1:
  store i16 %b.1.t5, ptr %b.1.t1, align 2
  %ok.1.t1 = getelementptr i8, ptr %b, i32 10
  %ok.1.t2 = getelementptr i8, ptr %b, i32 10
  %ok.1.t3 = load i8, ptr %ok.1.t2, align 1
  %ok.1.t4 = add i8 %ok.1.t3, 1
  store i8 %ok.1.t4, ptr %ok.1.t1, align 1
  %ok.1.t5 = getelementptr i8, ptr %b, i32 4
  %ok.1.t6 = getelementptr i8, ptr %b, i32 4
  %ok.1.t7 = load i32, ptr %ok.1.t6, align 4
  %ok.1.t8 = icmp ne i32 3, 0
  br i1 %ok.1.t8, label %ok.2, label %bad.2, !prof !0
bad.2:
  call void @lf_fault(ptr %b, i8 zeroext 4, i16 zeroext 1, i32 %ok.1.t7, i32 0) #1
  unreachable
ok.2:
  %ok.2.t1 = icmp eq i32 3, -1
  %ok.2.t2 = icmp eq i32 %ok.1.t7, -2147483648
  %ok.2.t3 = and i1 %ok.2.t2, %ok.2.t1
  %ok.2.t4 = xor i1 %ok.2.t3, true
  br i1 %ok.2.t4, label %ok.3, label %bad.3, !prof !0
bad.3:
  call void @lf_fault(ptr %b, i8 zeroext 3, i16 zeroext 2, i32 %ok.1.t7, i32 3) #1
  unreachable
ok.3:
  %ok.3.t1 = srem i32 %ok.1.t7, 3
  %ok.3.t2 = icmp ne i32 %ok.3.t1, 0
  %ok.3.t3 = xor i32 %ok.3.t1, 3
  %ok.3.t4 = icmp slt i32 %ok.3.t3, 0
  %ok.3.t5 = and i1 %ok.3.t2, %ok.3.t4
  %ok.3.t6 = sdiv i32 %ok.1.t7, 3
  %ok.3.t7 = zext i1 %ok.3.t5 to i32
  %ok.3.t8 = sub i32 %ok.3.t6, %ok.3.t7
  store i32 %ok.3.t8, ptr %ok.1.t5, align 4
  %ok.3.t9 = getelementptr i8, ptr %b, i32 8
  %ok.3.t10 = getelementptr i8, ptr %b, i32 4
  %ok.3.t11 = load i32, ptr %ok.3.t10, align 4
  %ok.3.t12 = icmp ne i32 7, 0
  br i1 %ok.3.t12, label %ok.4, label %bad.4, !prof !0
bad.4:
  call void @lf_fault(ptr %b, i8 zeroext 4, i16 zeroext 3, i32 %ok.3.t11, i32 0) #1
  unreachable
ok.4:
  %ok.4.t1 = icmp eq i32 7, -1
  %ok.4.t2 = select i1 %ok.4.t1, i32 1, i32 7
  %ok.4.t3 = srem i32 %ok.3.t11, %ok.4.t2
  %ok.4.t4 = icmp ne i32 %ok.4.t3, 0
  %ok.4.t5 = xor i32 %ok.4.t3, %ok.4.t2
  %ok.4.t6 = icmp slt i32 %ok.4.t5, 0
  %ok.4.t7 = and i1 %ok.4.t4, %ok.4.t6
  %ok.4.t8 = select i1 %ok.4.t7, i32 %ok.4.t2, i32 0
  %ok.4.t9 = add i32 %ok.4.t3, %ok.4.t8
  %ok.4.t10 = sext i32 %ok.4.t9 to i64
  %ok.4.t11 = icmp sge i64 %ok.4.t10, -32768
  %ok.4.t12 = icmp sle i64 %ok.4.t10, 32767
  %ok.4.t13 = and i1 %ok.4.t11, %ok.4.t12
  br i1 %ok.4.t13, label %ok.5, label %bad.5, !prof !0
bad.5:
  call void @lf_fault(ptr %b, i8 zeroext 2, i16 zeroext 4, i32 %ok.4.t9, i32 0) #1
  unreachable
ok.5:
  %ok.5.t1 = trunc i32 %ok.4.t9 to i16
  store i16 %ok.5.t1, ptr %ok.3.t9, align 2
  br label %b.2
b.2:
  %b.2.t1 = sub i8 %slot, 0
  call void @lf_end(ptr %b, i16 zeroext 0, i8 zeroext %b.2.t1, i8 zeroext 0, i8 zeroext %slot, ptr %record, i16 zeroext 0)
  ret i16 -32768
}

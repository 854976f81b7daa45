@lf_pool = internal constant [1 x i8] c"\00", align 4

define internal i16 @"run.init.0"(ptr %b, i8 zeroext %slot, ptr %record, ptr %frame, i16 zeroext %position) nounwind {
entry:
  switch i16 %position, label %nowhere [ i16 1, label %b.1 i16 2, label %b.2 ]
nowhere:
  unreachable
b.1:
  %b.1.t1 = getelementptr i8, ptr %b, i32 -4
  %b.1.t2 = load i32, ptr %b.1.t1, align 4
  %b.1.t3 = icmp ne i32 %b.1.t2, 0
  br i1 %b.1.t3, label %ok.1, label %bad.1, !prof !0
bad.1:
  call void @lf_fault(ptr %b, i8 zeroext 12, i16 zeroext 0, i32 0, i32 0) #1
  unreachable
ok.1:
  %ok.1.t1 = sub i32 %b.1.t2, 1
  store i32 %ok.1.t1, ptr %b.1.t1, align 4
  %ok.1.t2 = getelementptr i8, ptr %b, i32 4
  %ok.1.t3 = ptrtoint ptr %ok.1.t2 to i64
  %ok.1.t4 = ptrtoint ptr %b to i64
  %ok.1.t5 = sub i64 %ok.1.t3, %ok.1.t4
  %ok.1.t6 = trunc i64 %ok.1.t5 to i16
  %ok.1.t7 = getelementptr i8, ptr %record, i32 1
  call void @lf_count_call(ptr %b, ptr %ok.1.t7, i8 zeroext 1, i16 zeroext 3, i16 zeroext 1)
  br label %counted.1
counted.1:
  %counted.1.t1 = getelementptr i8, ptr %frame, i32 4
  store i8 2, ptr %counted.1.t1, align 1
  %counted.1.t2 = getelementptr i8, ptr %frame, i32 2
  store i16 %ok.1.t6, ptr %counted.1.t2, align 2
  store i8 2, ptr %frame, align 1
  %counted.1.t3 = zext i8 %slot to i16
  %counted.1.t4 = zext i16 %counted.1.t3 to i32
  %counted.1.t5 = getelementptr i8, ptr %b, i32 %counted.1.t4
  store i8 3, ptr %counted.1.t5, align 1
  ret i16 0
b.2:
  %b.2.t1 = sub i8 %slot, 0
  call void @lf_end(ptr %b, i16 zeroext 0, i8 zeroext %b.2.t1, i8 zeroext 0, i8 zeroext %slot, ptr %record, i16 zeroext 20)
  ret i16 -32768
}

define internal i16 @"run.Program.Down.1"(ptr %b, i8 zeroext %slot, ptr %record, ptr %frame, i16 zeroext %position) nounwind {
entry:
  switch i16 %position, label %nowhere [ i16 3, label %b.1 i16 4, label %b.2 i16 5, label %b.3 ]
nowhere:
  unreachable
b.1:
  %b.1.t1 = zext i8 %slot to i16
  %b.1.t2 = zext i16 %b.1.t1 to i32
  %b.1.t3 = getelementptr i8, ptr %b, i32 %b.1.t2
  store i8 4, ptr %b.1.t3, align 1
  ret i16 -32768
b.2:
  %b.2.t1 = getelementptr i8, ptr %frame, i32 4
  %b.2.t2 = load i8, ptr %b.2.t1, align 1
  %b.2.t3 = icmp sgt i8 %b.2.t2, 0
  br i1 %b.2.t3, label %b.4, label %b.3
b.3:
  %b.3.t1 = getelementptr i8, ptr %frame, i32 2
  %b.3.t2 = load i16, ptr %b.3.t1, align 2
  %b.3.t3 = zext i16 %b.3.t2 to i32
  %b.3.t4 = getelementptr i8, ptr %b, i32 %b.3.t3
  %b.3.t5 = load i32, ptr %b.3.t4, align 4
  %b.3.t6 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %b.3.t5, i32 1)
  %b.3.t7 = extractvalue { i32, i1 } %b.3.t6, 0
  %b.3.t8 = extractvalue { i32, i1 } %b.3.t6, 1
  %b.3.t9 = xor i1 %b.3.t8, true
  br i1 %b.3.t9, label %ok.1, label %bad.1, !prof !0
bad.1:
  call void @lf_fault(ptr %b, i8 zeroext 3, i16 zeroext 2, i32 %b.3.t5, i32 1) #1
  unreachable
ok.1:
  store i32 %b.3.t7, ptr %b.3.t4, align 4
  %ok.1.t1 = load i8, ptr %frame, align 1
  switch i8 %ok.1.t1, label %back.1 [ i8 5, label %back.2 ]
back.1:
  %back.1.t1 = getelementptr i8, ptr %record, i32 1
  call void @lf_uncount_call(ptr %back.1.t1, i8 zeroext 1)
  br label %counted.1
counted.1:
  call void @lf_clear(ptr %frame, i16 zeroext 5)
  %counted.1.t1 = zext i8 %slot to i16
  %counted.1.t2 = zext i16 %counted.1.t1 to i32
  %counted.1.t3 = getelementptr i8, ptr %b, i32 %counted.1.t2
  store i8 2, ptr %counted.1.t3, align 1
  ret i16 0
back.2:
  %back.2.t1 = getelementptr i8, ptr %record, i32 1
  call void @lf_uncount_call(ptr %back.2.t1, i8 zeroext 1)
  br label %counted.2
counted.2:
  call void @lf_clear(ptr %frame, i16 zeroext 5)
  %counted.2.t1 = zext i8 %slot to i16
  %counted.2.t2 = zext i16 %counted.2.t1 to i32
  %counted.2.t3 = getelementptr i8, ptr %b, i32 %counted.2.t2
  store i8 5, ptr %counted.2.t3, align 1
  ret i16 -6
b.4:
  %b.4.t1 = getelementptr i8, ptr %b, i32 -4
  %b.4.t2 = load i32, ptr %b.4.t1, align 4
  %b.4.t3 = icmp ne i32 %b.4.t2, 0
  br i1 %b.4.t3, label %ok.2, label %bad.2, !prof !0
bad.2:
  call void @lf_fault(ptr %b, i8 zeroext 12, i16 zeroext 3, i32 0, i32 0) #1
  unreachable
ok.2:
  %ok.2.t1 = sub i32 %b.4.t2, 1
  store i32 %ok.2.t1, ptr %b.4.t1, align 4
  %ok.2.t2 = getelementptr i8, ptr %frame, i32 6
  %ok.2.t3 = getelementptr i8, ptr %frame, i32 4
  %ok.2.t4 = load i8, ptr %ok.2.t3, align 1
  %ok.2.t5 = call { i8, i1 } @llvm.ssub.with.overflow.i8(i8 %ok.2.t4, i8 1)
  %ok.2.t6 = extractvalue { i8, i1 } %ok.2.t5, 0
  %ok.2.t7 = extractvalue { i8, i1 } %ok.2.t5, 1
  %ok.2.t8 = xor i1 %ok.2.t7, true
  br i1 %ok.2.t8, label %ok.3, label %bad.3, !prof !0
bad.3:
  %bad.3.t1 = sext i8 %ok.2.t4 to i32
  call void @lf_fault(ptr %b, i8 zeroext 3, i16 zeroext 4, i32 %bad.3.t1, i32 1) #1
  unreachable
ok.3:
  %ok.3.t1 = getelementptr i8, ptr %frame, i32 2
  %ok.3.t2 = load i16, ptr %ok.3.t1, align 2
  %ok.3.t3 = zext i16 %ok.3.t2 to i32
  %ok.3.t4 = getelementptr i8, ptr %b, i32 %ok.3.t3
  %ok.3.t5 = ptrtoint ptr %ok.3.t4 to i64
  %ok.3.t6 = ptrtoint ptr %b to i64
  %ok.3.t7 = sub i64 %ok.3.t5, %ok.3.t6
  %ok.3.t8 = trunc i64 %ok.3.t7 to i16
  %ok.3.t9 = getelementptr i8, ptr %record, i32 1
  call void @lf_count_call(ptr %b, ptr %ok.3.t9, i8 zeroext 1, i16 zeroext 3, i16 zeroext 5)
  br label %counted.3
counted.3:
  %counted.3.t1 = getelementptr i8, ptr %ok.2.t2, i32 4
  store i8 %ok.2.t6, ptr %counted.3.t1, align 1
  %counted.3.t2 = getelementptr i8, ptr %ok.2.t2, i32 2
  store i16 %ok.3.t8, ptr %counted.3.t2, align 2
  store i8 5, ptr %ok.2.t2, align 1
  %counted.3.t3 = zext i8 %slot to i16
  %counted.3.t4 = zext i16 %counted.3.t3 to i32
  %counted.3.t5 = getelementptr i8, ptr %b, i32 %counted.3.t4
  store i8 3, ptr %counted.3.t5, align 1
  ret i16 6
}
